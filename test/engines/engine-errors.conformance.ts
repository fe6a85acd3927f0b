import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { type Engine, EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import {
  createAzureOpenAiEngine,
  createByteplusEngine,
  createComfyEngine,
  createComfyRouterEngine,
  createFalEngine,
  createGoogleEngine,
  createHiggsfieldEngine,
  createKlingEngine,
  createOpenAiEngine,
  createPixverseEngine,
  createReplicateEngine,
  createSdServerEngine,
  createVertexEngine,
  createXaiEngine,
} from '@darkroom-service/engines/adapters';
import {
  AZURE_DEPLOYMENTS,
  falInputs,
  openFakeArk,
  openFakeAzureOpenAi,
  openFakeComfy,
  openFakeComfyRouter,
  openFakeFal,
  openFakeGoogle,
  openFakeHiggsfield,
  openFakeKling,
  openFakeOpenAi,
  openFakePixverse,
  openFakeReplicate,
  openFakeSdServer,
  openFakeVertex,
  openFakeXai,
  REPLICATE_INPUTS,
  vertexAccess,
} from '@darkroom-service/engines/fakes';
import { type FakeUpstream, type HarnessTools, inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../src/base/log.ts';
import { loadShippedCatalog, modelOf } from '../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../src/catalog/resolve-request.ts';
import { orderOf } from '../helpers/catalog-routes.ts';

/**
 * The meaning of each upstream's refusals: the class, whether it accepted the order, and the retry delay if it states
 * one.
 */

type Said = readonly [errorClass: EngineErrorClass, took: 'no' | 'unknown', retryAfterMs?: number] | 'ended';

interface Upstream {
  readonly name: string;
  readonly openFake: () => Promise<FakeUpstream>;
  readonly openEngine: (fake: FakeUpstream, tools: HarnessTools & { readonly key: string }) => Engine;
  readonly engine: string;
  readonly model: string;
  /** In addition to the common ones. */
  readonly own: Readonly<Record<string, Said>>;
  /** A model that the upstream does not have. */
  readonly gone: string;
}

/** Refusals that are the same for all upstreams. */
const COMMON: Readonly<Record<string, Said>> = {
  busy: ['rate_limited', 'no'],
  busyfor: ['rate_limited', 'no', 1000],
  busyuntil: ['rate_limited', 'no', 1000],
  billing: ['billing', 'no'],
  invalid: ['invalid_input', 'no'],
  reset: ['upstream', 'unknown'],
  html500: ['upstream', 'unknown'],
  html503: ['busy', 'unknown'],
  nojson: ['upstream', 'unknown'],
  empty: ['upstream', 'unknown'],
};

const byteplus = {
  openFake: openFakeArk,
  openEngine: (fake, tools) => createByteplusEngine({ ...tools, url: fake.url }),
  engine: 'byteplus',
  gone: 'nobody-1-0',
  own: {
    busy: ['busy', 'no'],
    loading: ['busy', 'no'],
    rate: ['rate_limited', 'no'],
    denied: ['auth', 'no'],
    quota: ['billing', 'no'],
    setlimit: ['billing', 'no'],
    closed: ['auth', 'no'],
    content: ['content_policy', 'no'],
    internal: ['upstream', 'unknown'],
  },
} satisfies Partial<Upstream>;
const google = {
  openFake: openFakeGoogle,
  openEngine: (fake, tools) => createGoogleEngine({ ...tools, url: fake.url }),
  engine: 'google',
  gone: 'nobody-1',
  own: {
    denied: ['auth', 'no'],
    region: ['billing', 'no'],
    depleted: ['billing', 'no'],
    unavailable: ['busy', 'no'],
    late: ['timeout', 'unknown'],
    internal: ['upstream', 'unknown'],
  },
} satisfies Partial<Upstream>;
const vertex = {
  openFake: openFakeVertex,
  openEngine: (fake, { key, ...tools }) => createVertexEngine({ ...tools, ...vertexAccess(fake, key) }),
  engine: 'vertex',
  gone: 'nobody-1',
  own: {
    denied: ['auth', 'no'],
    listed: ['auth', 'no'],
    content: ['content_policy', 'no'],
    unavailable: ['busy', 'unknown'],
    late: ['timeout', 'unknown'],
    internal: ['upstream', 'unknown'],
  },
} satisfies Partial<Upstream>;
const kling = {
  openFake: openFakeKling,
  openEngine: (fake, tools) => createKlingEngine({ ...tools, url: fake.url }),
  engine: 'kling',
  own: {
    account: ['billing', 'no'],
    arrears: ['billing', 'no'],
    noaccess: ['auth', 'no'],
    listed: ['auth', 'no'],
    maintenance: ['busy', 'no'],
    content: ['content_policy', 'no'],
    quiet: ['content_policy', 'no'],
  },
} satisfies Partial<Upstream>;
const xai = {
  openFake: openFakeXai,
  openEngine: (fake, tools) => createXaiEngine({ ...tools, url: fake.url }),
  engine: 'xai',
  own: {
    denied: ['auth', 'no'],
    content: ['content_policy', 'no'],
    overloaded: ['busy', 'no'],
    internal: ['upstream', 'unknown'],
  },
} satisfies Partial<Upstream>;

const UPSTREAMS: readonly Upstream[] = [
  {
    name: 'fal',
    openFake: () => openFakeFal(falInputs()),
    openEngine: (fake, tools) => createFalEngine({ ...tools, url: fake.url }),
    engine: 'fal',
    model: 'gpt-image-2',
    gone: 'openai/nobody',
    own: {
      locked: ['billing', 'no'],
      overloaded: ['busy', 'no'],
      forbidden: ['auth', 'no'],
      downstream: ['upstream', 'no'],
      content: ['content_policy', 'no'],
    },
  },
  {
    name: 'Replicate',
    openFake: () => openFakeReplicate(REPLICATE_INPUTS),
    openEngine: (fake, { key, ...tools }) => createReplicateEngine({ ...tools, token: key, url: fake.url }),
    engine: 'replicate',
    model: 'flux-2-pro',
    gone: 'foxes/nobody',
    own: { busytext: ['rate_limited', 'no', 1000], version: ['auth', 'no'] },
  },
  {
    name: 'OpenAI',
    openFake: openFakeOpenAi,
    openEngine: (fake, tools) => createOpenAiEngine({ ...tools, url: fake.url }),
    engine: 'openai',
    model: 'gpt-image-2',
    gone: 'nobody-1',
    own: {
      busyms: ['rate_limited', 'no', 1500],
      forbidden: ['auth', 'no'],
      limit: ['billing', 'no'],
      content: ['content_policy', 'no'],
      overloaded: ['busy', 'no'],
      again: ['busy', 'no'],
      inturn: ['busy', 'no'],
      never: ['busy', 'unknown'],
      conflict: ['upstream', 'unknown'],
      server: ['upstream', 'unknown'],
    },
  },
  {
    name: 'Azure OpenAI',
    openFake: openFakeAzureOpenAi,
    openEngine: (fake, tools) =>
      createAzureOpenAiEngine({
        ...tools,
        url: fake.url,
        apiVersion: '2025-04-01-preview',
        deployments: { ...AZURE_DEPLOYMENTS, 'nobody-1': 'nobody-1' },
      }),
    engine: 'azure-openai',
    model: 'gpt-image-2',
    gone: 'nobody-1',
    own: {
      content: ['content_policy', 'no'],
      policy: ['content_policy', 'no'],
      blocked: ['auth', 'no'],
      words: ['auth', 'no'],
      overloaded: ['busy', 'no'],
      server: ['upstream', 'unknown'],
    },
  },
  { ...byteplus, name: 'Seedream', model: 'seedream-4.5' },
  { ...byteplus, name: 'Seedance', model: 'seedance-2.0' },
  { ...google, name: 'Gemini', model: 'nano-banana-pro' },
  { ...google, name: 'Omni', model: 'gemini-omni-flash-1.1' },
  { ...vertex, name: "Vertex AI's pictures", model: 'nano-banana-pro' },
  { ...vertex, name: "Vertex AI's films", model: 'veo-3.1' },
  { ...kling, name: 'Kling', model: 'kling-3.0-turbo', gone: 'text-to-video/kling-0.1' },
  { ...kling, name: 'Kling by its older interface', model: 'kling-image-3', gone: 'images/no-such-call/kling-v3' },
  { ...xai, name: "xAI's pictures", model: 'grok-imagine-image-2.0', gone: 'nobody-1' },
  { ...xai, name: "xAI's films", model: 'grok-imagine-video-1.5', gone: 'nobody-1' },
  {
    name: 'Comfy Router',
    openFake: openFakeComfyRouter,
    openEngine: (fake, tools) => createComfyRouterEngine({ ...tools, url: fake.url }),
    engine: 'comfy-router',
    model: 'flux-2-pro',
    gone: 'nobody/nothing-1',
    own: {
      denied: ['auth', 'no'],
      disabled: ['auth', 'no'],
      backlog: ['busy', 'no'],
      unavailable: ['busy', 'unknown'],
      internal: ['upstream', 'unknown'],
    },
  },
  {
    name: 'PixVerse',
    openFake: openFakePixverse,
    openEngine: (fake, tools) => createPixverseEngine({ ...tools, url: fake.url }),
    engine: 'pixverse',
    model: 'pixverse-v6',
    gone: 'nobody/v6',
    own: { content: ['content_policy', 'no'], unkeyed: ['auth', 'no'], internal: 'ended' },
  },
  {
    name: 'Higgsfield',
    openFake: openFakeHiggsfield,
    openEngine: (fake, tools) => createHiggsfieldEngine({ ...tools, url: fake.url }),
    engine: 'higgsfield',
    model: 'z-image-turbo',
    gone: 'nobody/nothing-1',
    own: { blocked: ['busy', 'no'], unavailable: ['busy', 'unknown'], internal: ['upstream', 'unknown'] },
  },
  {
    name: 'sd-server',
    openFake: openFakeSdServer,
    openEngine: (fake, { key, ...tools }) =>
      createSdServerEngine({ ...tools, url: fake.url, authorization: `Bearer ${key}` }),
    engine: 'sd-server',
    model: 'local-image',
    gone: 'txt2img',
    own: {},
  },
  {
    name: 'ComfyUI',
    openFake: openFakeComfy,
    openEngine: (fake, { key, ...tools }) =>
      createComfyEngine({
        ...tools,
        urls: [fake.url],
        authorization: `Bearer ${key}`,
        workflowDirectories: [new URL('../../catalog/workflows', import.meta.url).pathname],
      }),
    engine: 'comfyui',
    model: 'local-image',
    gone: 'no-such-workflow',
    own: {},
  },
];
/** These upstreams can look an order up by an id of ours. */
const LOOKED_UP = ['reset', 'html500', 'html503', 'nojson', 'empty'];
/** Cases that only the operator can fix. */
const MISCONFIGURED: Readonly<Record<string, EngineErrorClass>> = { 'sd-server': 'upstream', comfyui: 'upstream' };

const catalog = await loadShippedCatalog();

for (const upstream of UPSTREAMS) {
  test(`what ${upstream.name} refuses is told apart: the order, the key, the billing, the rate, and unknown outcomes`, async (t) => {
    const fake = await upstream.openFake();
    t.after(() => fake.stop());
    const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
    t.after(close);
    const tools = { clock: systemClock, log: createLog('silent'), fetch, pictures: inProcessPictures };
    const engine = upstream.openEngine(fake, { ...tools, key: fake.key });
    const stranger = upstream.openEngine(fake, { ...tools, key: 'wrong-key-0815' });
    t.after(() => Promise.all([engine.close?.(), stranger.close?.()]));
    let orders = 0;
    const start = async (by: Engine, words: string, named?: string) => {
      const model = modelOf(catalog, upstream.model);
      const prompt = `a fox [[job=${++orders} ${words}]]`;
      const found = resolveRequest(model, { prompt }, { purpose: 'create' });
      const route = model.routes.find((one) => one.engine === upstream.engine);
      assert.ok(found.ok && route !== undefined);
      const order = orderOf(found.request, named === undefined ? route : { ...route, model: named }, `task-${orders}`);
      const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
      return await by.start(order, context).then(
        // It has an operation only to be told that it failed.
        (started) => ('operation' in started && 'verdict' in (started.operation as object) ? 'ended' : null),
        (error: unknown) => {
          assert.ok(error instanceof EngineError, String(error));
          assert.doesNotMatch(error.message, /0815/);
          return [error.class, error.took, ...(error.retryAfterMs === null ? [] : [error.retryAfterMs])];
        },
      );
    };
    const expected = Object.entries({ ...COMMON, ...upstream.own });
    for (const [word, said] of expected) {
      const isFound = engine.find !== undefined && LOOKED_UP.includes(word);
      assert.deepEqual(await start(engine, `submit=${word}`), isFound ? null : said, word);
    }
    assert.deepEqual(await start(stranger, ''), ['auth', 'no'], 'a wrong key');
    const gone = [MISCONFIGURED[upstream.engine] ?? 'auth', 'no'];
    assert.deepEqual(await start(engine, '', upstream.gone), gone, 'a model that is not there');
  });
}
