import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { openFakeVertex, vertexAccess } from '@darkroom-service/engines/fakes';
import { type Exchange, inProcessPictures, openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../src/base/log.ts';
import { loadShippedCatalog, modelOf } from '../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../src/catalog/resolve-request.ts';
import { openEngines } from '../../src/service/open-engines.ts';
import { orderOf } from '../helpers/catalog-routes.ts';

/** Checks get responses that are not from the upstream: a proxy's page, an empty response, foreign JSON. */

const KEY = 'some-key-0815';
const HANDLES: Readonly<Record<string, readonly [model: string, handle: object]>> = {
  fal: ['krea-2-large', { requestId: 'a', statusUrl: '/a/status', responseUrl: '/a', cancelUrl: '/a/cancel' }],
  replicate: ['flux-2-pro', { id: 'a' }],
  'kling newer': ['kling-3.0-turbo', { id: '1', path: null }],
  'kling older': ['kling-image-3', { id: '1', path: '/v1/images/generations' }],
  byteplus: ['seedance-2.0', { id: 'cgt-1' }],
  google: ['gemini-omni-flash-1.1', { path: '/interactions/a' }],
  vertex: ['veo-3.1', { operation: 'projects/p/locations/global/publishers/google/models/m/operations/1' }],
  xai: ['grok-imagine-video-1.5', { id: 'a' }],
  bfl: ['flux-2-pro', { id: 'a', pollingUrl: '/get_result?id=a' }],
  dashscope: ['wan-2.7', { id: 'a' }],
  heygen: ['heygen-video-1', { id: 'a' }],
  ltx: ['ltx-2.5-fast', { path: '/text-to-video/a' }],
  luma: ['luma-uni-1', { id: 'a' }],
  minimax: ['minimax-h3', { id: 'a', isOlder: false }],
  pixverse: ['pixverse-v6', { id: '1' }],
  higgsfield: ['z-image-turbo', { id: 'a' }],
  runway: ['runway-gen-4.5', { id: 'a' }],
  vidu: ['vidu-q3', { id: 'a', seed: null }],
  'comfy-router': ['flux-2-pro', { model: 'bfl/flux-2-pro', id: 'a' }],
  comfyui: ['local-image', { server: '', promptId: '6d1f7b0e-4d0c-8a4e-9a53-0242ac120002', nodes: 7, seed: 1 }],
  'sd-server': ['local-image', { id: 'job_1', seed: 1 }],
};
const ANSWERS: Readonly<Record<string, (exchange: Exchange) => void>> = {
  'a page': ({ reply }) => reply(200, '<html><body>Please sign in</body></html>'),
  'an empty answer': ({ reply }) => reply(200),
  'a list': ({ reply }) => reply(200, []),
  'a greeting': ({ reply }) => reply(200, { hello: 'world' }),
  'a page that something broke': ({ reply }) => reply(502, '<html>Bad Gateway</html>'),
  'a page that nothing is there': ({ reply }) => reply(404, '<html>404 Not Found</html>'),
  'a redirect': ({ reply }) => reply(302, '', { location: 'https://example.com/login' }),
};

async function openAll(t: TestContext, url: string) {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  // The sign-in is no check: it is answered as it should be.
  const signIn = await openFakeVertex();
  t.after(() => signIn.stop());
  const access = { key: KEY, url, variable: 'KEY' };
  const own = { authorization: null, variable: 'URL' };
  const engines = await openEngines({
    only: null,
    painters: 1,
    temporaryDirectory: '/nowhere',
    clock: systemClock,
    log: createLog('silent'),
    fetch,
    engineLimits: {},
    engineInstances: [],
    ownEngines: { files: [], environment: {} },
    pictures: inProcessPictures,
    upstreams: {
      fal: access,
      replicate: access,
      vendors: {
        openai: null,
        kling: access,
        byteplus: access,
        google: access,
        xai: access,
        'comfy-router': access,
        openrouter: access,
        bfl: access,
        dashscope: access,
        heygen: access,
        ideogram: null,
        ltx: access,
        luma: access,
        minimax: access,
        pixverse: access,
        higgsfield: access,
        recraft: access,
        runway: access,
        vidu: access,
      },
      azureOpenai: null,
      vertex: { ...vertexAccess(signIn, signIn.key), url, variable: 'ACCOUNT' },
      comfyui: { ...own, urls: [url], workflowDirectories: [] },
      sdServer: { ...own, url },
    },
  });
  t.after(async () => {
    for (const engine of engines.values()) await engine.close?.();
    await close();
  });
  return engines;
}

for (const [what, answer] of Object.entries(ANSWERS)) {
  test(`${what} in place of an answer ends no order`, async (t) => {
    const server = await openFakeServer(answer);
    t.after(() => server.stop());
    const engines = await openAll(t, server.url);
    const catalog = await loadShippedCatalog();
    for (const [name, [modelId, given]] of Object.entries(HANDLES)) {
      const engine = engines.get(name.split(' ')[0] ?? '');
      const model = modelOf(catalog, modelId);
      const found = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'create' });
      const route = model.routes.find((one) => one.engine === engine?.name);
      assert.ok(engine !== undefined && found.ok && route !== undefined, name);
      const handle = 'server' in given ? { ...given, server: server.url } : given;
      // Long ago, so that no upstream is still expected to be unaware of the order.
      const operation = { handle, submittedAt: 0 };
      const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
      const told = await engine.check(operation as never, orderOf(found.request, route, 'task-1'), context).then(
        (checked) => (checked.status === 'failed' ? checked.error : checked.status),
        () => 'asked again',
      );
      assert.ok(told === 'pending' || told === 'asked again', `${name}: ${JSON.stringify(told)}`);
    }
  });
}
