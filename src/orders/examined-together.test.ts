import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EXAMINED_WITHIN_MS, world } from '@darkroom-service/contract';
import { createReferences, type MediaCall, MediaUnavailable, type Probe } from '@darkroom-service/media';
import { solidPng } from '@darkroom-service/testing';
import { createScriptedEngine } from '../../test/helpers/scripted-engine.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createRouting } from '../routing/routing.ts';
import { judgeOrder } from './judge-order.ts';
import { compareOrders } from './quote-order.ts';

const PNG = solidPng({ width: 64, height: 64, value: 1 });
const DATA = `data:image/png;base64,${PNG.toString('base64')}`;
const PROBE: Probe = {
  kind: 'image',
  contentType: 'image/png',
  bytes: PNG.byteLength,
  width: 64,
  height: 64,
  durationSeconds: null,
  hasAudio: false,
  fps: null,
};
const ORDER = { model_id: 'sketch', prompt: 'a fox', image_urls: [DATA, DATA] };

/** Services that note until when each file may be examined, and from the n-th on examine none. */
async function open(t: TestContext, refusesFrom = Number.POSITIVE_INFINITY) {
  const { services, clock } = await openTestServices(t);
  const engines = new Map([['sketch', createScriptedEngine({ name: 'sketch' })]]);
  const closed = { of: () => null, pausedSince: () => null };
  const deadlines: (number | undefined)[] = [];
  const probe = async (_path: string, { examinedBy }: MediaCall) => {
    if (deadlines.push(examinedBy) >= refusesFrom) throw new MediaUnavailable('too late');
    return PROBE;
  };
  const { storage, settings } = services;
  const { temporaryDirectory } = settings;
  const fetch = () => Promise.reject(new Error('not called'));
  return {
    services: {
      ...services,
      routing: createRouting(engines, closed, { live: null, now: () => clock.now() }),
      references: createReferences({ fetch, storage, temporaryDirectory, media: { probe } }),
    },
    key: await insertKey(services, { mode: 'test' }),
    deadlines,
  };
}

test('all files of a request are examined by one deadline, those of compared orders too', async (t) => {
  const { services, key, deadlines } = await open(t);
  const begun = world.monotonic();
  await judgeOrder(services, key, { operation: 'image', body: ORDER, simulate: null });
  assert.equal(new Set(deadlines.splice(0, 2)).size, 1);
  await compareOrders(services, key, [ORDER, ORDER]);
  assert.equal(deadlines.length, 4);
  assert.equal(new Set(deadlines).size, 1);
  const [deadline = 0] = deadlines;
  assert.ok(
    deadline >= begun + EXAMINED_WITHIN_MS && deadline <= world.monotonic() + EXAMINED_WITHIN_MS,
    `${deadline - begun} ms`,
  );
});

test('an order whose second file cannot be examined in time is refused for now, and keeps no file', async (t) => {
  const { services, key, deadlines } = await open(t, 2);
  const order = { operation: 'image', body: ORDER, simulate: null } as const;
  await assert.rejects(judgeOrder(services, key, order), { code: 'service_unavailable', retryAfterSeconds: 10 });
  assert.equal(deadlines.length, 2);
  const kept = [];
  for await (const file of services.storage.list('')) kept.push(file);
  assert.deepEqual(kept, []);
});
