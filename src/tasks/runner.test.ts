import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertKey, openTestDesk } from '../../test/desk.ts';
import { until } from '../../test/until.ts';
import type { CallContext, Engine } from '../engines/engine.ts';
import { openCircuits } from './circuits.ts';
import { createTask } from './create-task.ts';
import { LostClaim } from './move-task.ts';
import { startRunner } from './runner.ts';
import { createUnsentOrders } from './unsent-orders.ts';

test('a process that stood still past its lease and claims its own task anew breaks off what it began before', async (t) => {
  const { desk, clock, database } = await openTestDesk(t);
  const circuits = await openCircuits({ database, clock, onChange: () => {}, onError: () => {} });
  t.after(() => circuits.stop());
  const calls: CallContext[] = [];
  const engine: Engine = {
    name: 'sketch',
    concurrency: 10,
    repeatable: true,
    start: (_order, context) => {
      calls.push(context);
      return new Promise((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
      );
    },
    check: () => Promise.reject(new Error('it never started')),
  };
  const runner = startRunner(
    {
      desk,
      worker: 'one',
      engines: new Map([[engine.name, engine]]),
      circuits,
      moderation: null,
      fetchOutput: () => Promise.reject(new Error('nothing to fetch')),
      // No renewal comes in time.
      lease: { ms: 15_000, renewEveryMs: 1_000_000 },
      unsent: createUnsentOrders(),
    },
    () => [{ name: 'sketch:live', capacity: 10 }],
  );
  t.after(() => runner.stop({ drainMs: 0 }));
  await createTask(desk, await insertKey(desk), {
    type: 'image',
    path: '/v1/images',
    body: { model_id: 'sketch', prompt: 'a fox' },
    idempotencyKey: null,
    simulate: null,
  });
  for (const expected of [1, 2]) {
    runner.wake();
    await until(
      () => calls.length,
      (count) => count === expected,
    );
    clock.advance(20_000);
  }
  assert.ok(calls[0]?.signal.reason instanceof LostClaim);
  assert.equal(runner.heldTasks, 1);
});
