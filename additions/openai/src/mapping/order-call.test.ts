import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { NO_TRACER } from '../../../../src/tasks/tracer.ts';
import { kernelOf } from '../../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../../test/helpers/task-services.ts';
import { RecentDisconnects } from './abandoned-calls.ts';
import { DeliveredCalls } from './delivered-calls.ts';
import { orderCall, type PlacingCalls } from './order-call.ts';

test('a retry that comes while its call is still being judged waits for it, and orders nothing', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  const [isJudging, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let judged = 0;
  const tracer: typeof NO_TRACER = {
    ...NO_TRACER,
    async span(name, run) {
      if (name !== 'judge' || judged++ > 0) return await run();
      isJudging.resolve();
      await mayGoOn.promise;
      return await run();
    },
  };
  const placing: PlacingCalls = new Map();
  const of = {
    kernel: kernelOf({ ...services, tracer }),
    placing,
    leavers: new RecentDisconnects(),
    delivered: new DeliveredCalls(kernelOf(services)),
  };
  const body = { model_id: 'sketch', prompt: 'a fox' };
  const requested = { body, count: 1, view: { format: 'url', ignored: [] } } as const;
  const identity = { type: 'image', path: '/v1/images/generations', idempotencyKey: null, simulate: null } as const;
  const send = (retryCount: number) => orderCall(of, key, requested, { ...identity, body, retryCount });
  const first = send(0);
  await isJudging.promise;
  const retry = send(1);
  for (let turns = 0; turns < 20; turns++) await setImmediate();
  assert.equal(judged, 1, 'it is not even judged');
  mayGoOn.resolve();
  const [one, other] = await Promise.all([first, retry]);
  assert.equal(other.id, one.id);
  assert.deepEqual(other.taskIds, one.taskIds);
  const tasks = await database.read.all(database.read.builder.selectFrom('tasks').select('id'));
  assert.equal(tasks.length, 1);
});
