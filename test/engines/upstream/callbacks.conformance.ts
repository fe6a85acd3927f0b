import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import type { Callback, Engine } from '@darkroom-service/engines';
import {
  createFalEngine,
  createKlingEngine,
  createReplicateEngine,
  createSeedanceEngine,
  createViduEngine,
} from '@darkroom-service/engines/adapters';
import {
  openFakeArk,
  openFakeFal,
  openFakeKling,
  openFakeReplicate,
  openFakeVidu,
} from '@darkroom-service/engines/fakes';
import { type FakeUpstream, inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../../src/base/log.ts';
import { CALLED_ANYWHERE } from '../../helpers/called-anywhere.ts';
import { openCatalogOverlay } from '../../helpers/catalog-overlay.ts';
import { assertEnded } from '../../helpers/conformance-bench.ts';
import { conformanceEntry } from '../../helpers/conformance-entry.ts';
import { startTestService } from '../../helpers/service.ts';
import { startReceiver } from '../../helpers/webhook-receiver.ts';

const PROMPT = { prompt: { type: 'string', required: true } } as const;
const covers = ['aspect_ratio'];
const SEEDANCE = 'dreamina-seedance-2-0-260128';
const text = { prompt: { to: 'content[]', shape: { type: 'text', text: '$' } } };

/** The upstreams that call back, and the calls of an order that has ended well: states, or signed. */
const UPSTREAMS = {
  fal: { engine: 'fal', model: 'fal-ai/fox/dev', parameters: { prompt: 'prompt' }, covers },
  replicate: { engine: 'replicate', model: 'foxes/fox-2', parameters: { prompt: 'prompt' }, covers },
  kling: { engine: 'kling', model: 'text-to-video/kling-3.0-turbo', parameters: { prompt: 'prompt' }, covers },
  'older-kling': {
    engine: 'kling',
    model: 'images/omni-image/kling-v3-omni',
    parameters: { prompt: 'prompt' },
    covers,
  },
  vidu: { engine: 'vidu', model: 'text2video/viduq2', parameters: { prompt: 'prompt' }, covers },
  byteplus: { engine: 'byteplus', model: SEEDANCE, parameters: text, covers },
} as const;
const MODELS = Object.keys(UPSTREAMS) as (keyof typeof UPSTREAMS)[];

async function openUpstreams(t: TestContext) {
  const fakes = {
    fal: await openFakeFal({ 'fal-ai/fox/dev': PROMPT }),
    replicate: await openFakeReplicate({ 'foxes/fox-2': PROMPT }),
    kling: await openFakeKling(),
    vidu: await openFakeVidu(),
    byteplus: await openFakeArk(),
  };
  t.after(() => Promise.all(Object.values(fakes).map((fake) => fake.stop())));
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [], connectTimeoutMs: 30_000 });
  t.after(close);
  const clock = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
  const tools = { clock, log: createLog('silent'), fetch, pictures: inProcessPictures };
  const { fal, replicate, kling, vidu, byteplus } = fakes;
  const engines: Record<keyof typeof fakes, Engine> = {
    fal: createFalEngine({ ...tools, key: fal.key, url: fal.url }),
    replicate: createReplicateEngine({ ...tools, token: replicate.key, url: replicate.url }),
    kling: createKlingEngine({ ...tools, key: kling.key, url: kling.url }),
    vidu: createViduEngine({ ...tools, key: vidu.key, url: vidu.url }),
    byteplus: createSeedanceEngine({ ...tools, key: byteplus.key, url: byteplus.url }),
  };
  return { fakes, engines, clock };
}

async function openService(t: TestContext, callbacksAnywhere: boolean) {
  const { fakes, engines } = await openUpstreams(t);
  const models = MODELS.map((name) => conformanceEntry(name, [UPSTREAMS[name]]));
  const { directory } = await openCatalogOverlay(t, models);
  const { keys, make } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: directory },
    service: { engines: Object.values(engines), ...(callbacksAnywhere ? { additions: CALLED_ANYWHERE } : {}) },
  });
  let jobs = 0;
  return {
    fakes,
    /** Orders with words for the fake, and waits for the end. @returns how often it was polled */
    async make(name: keyof typeof UPSTREAMS, words: string): Promise<number> {
      const job = String(++jobs);
      const fake: FakeUpstream = fakes[UPSTREAMS[name].engine];
      const prompt = `a fox [[job=${job} ${words}]]`;
      const task = await make(keys.live, '/v1/images', { model_id: name, prompt });
      assertEnded(task, { status: 'succeeded' }, `${name} ${words}`);
      const { attempts, accepted, polls } = fake.counts(job);
      assert.deepEqual([attempts, accepted], [1, 1], `${name} ${words}`);
      return polls;
    },
  };
}

test('orders of upstreams that call back are read once, whatever becomes of other calls', async (t) => {
  const { fakes, make } = await openService(t, true);
  await Promise.all(
    MODELS.map(async (name) => {
      // Nothing has proved the callbacks yet, so the end is found by polls.
      await Promise.all([make(name, 'after=100 calls=never'), make(name, 'after=100 calls=forged')]);
      // Two seconds would be three polls or more.
      await make(name, 'after=100');
      const polls = await Promise.all(Array.from({ length: 4 }, () => make(name, 'after=3500')));
      assert.deepEqual(polls, [1, 1, 1, 1], name);
      const odd = ['twice', 'early', 'late'].map((calls) => make(name, `after=1500 calls=${calls}`));
      for (const reads of await Promise.all(odd)) assert.ok(reads <= 2, `${reads} reads`);
    }),
  );
  for (const [name, { callbacks = [] }] of Object.entries<FakeUpstream>(fakes)) {
    assert.ok(callbacks.length > 0, name);
    assert.ok(
      callbacks.every(({ status }) => status === 200),
      name,
    );
  }
});

test('without a public address no upstream is told to call, and orders are polled as often as before', async (t) => {
  const { fakes, make } = await openService(t, false);
  const polls = await Promise.all(MODELS.map((name) => make(name, 'after=3500')));
  for (const reads of polls) assert.ok(reads >= 3, `${reads} reads`);
  for (const { callbacks = [] } of Object.values<FakeUpstream>(fakes)) assert.deepEqual(callbacks, []);
});

test('signatures of upstreams that sign are checked, with their own keys, bodies and times', async (t) => {
  const { fakes, engines, clock } = await openUpstreams(t);
  const receiver = await startReceiver(t);
  const url = encodeURIComponent(receiver.url);
  const orders = {
    fal: () =>
      fetch(`${fakes.fal.url}/fal-ai/fox/dev?fal_webhook=${url}`, {
        method: 'POST',
        headers: {
          authorization: `Key ${fakes.fal.key}`,
          'content-type': 'application/json',
          'x-fal-no-retry': '1',
        },
        body: JSON.stringify({ prompt: 'a fox' }),
      }),
    replicate: () =>
      fetch(`${fakes.replicate.url}/models/foxes/fox-2/predictions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fakes.replicate.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          input: { prompt: 'a fox' },
          webhook: receiver.url,
          webhook_events_filter: ['completed'],
        }),
      }),
  };
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  for (const [name, order] of Object.entries(orders) as [keyof typeof orders, () => Promise<Response>][]) {
    const before = receiver.received.length;
    assert.ok((await order()).ok);
    await receiver.count(before + 1);
    const { headers, body } = receiver.received[before]!;
    const judge = (changes: Partial<Callback> = {}) =>
      engines[name].readCallback!({ headers, body: Buffer.from(body), ...changes }, context);
    const own = Object.keys(headers).filter((key) => /^(?:webhook|x-fal-webhook)-/.test(key));
    const changed = own.map((key) => judge({ headers: { ...headers, [key]: `${headers[key]?.slice(0, -2)}x1` } }));
    const verdicts = await Promise.all([judge(), judge({ body: Buffer.from(`${body} `) }), judge({ headers: {} })]);
    assert.deepEqual(verdicts, ['ended', 'forged', 'forged'], name);
    assert.deepEqual(new Set(await Promise.all(changed)), new Set(['forged']), name);
    clock.aheadMs = 6 * 60_000;
    assert.equal(await judge(), 'forged', `${name}: too old`);
    clock.aheadMs = 0;
    assert.deepEqual(fakes[name].misplacedKeys, []);
  }
});
