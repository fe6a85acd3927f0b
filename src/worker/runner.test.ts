import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestAnswers } from '../../test/answers.ts';
import { insertProcess } from '../../test/insert-process.ts';
import { plainLoad } from '../../test/plain-load.ts';
import { steadyHeartbeat } from '../../test/steady-heartbeat.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { until } from '../../test/until.ts';
import { type CallContext, type Engine, EngineError } from '../engines/engine.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import { openCircuits } from '../routing/circuits.ts';
import { LostClaim } from '../tasks/move-task.ts';
import { takeOverWithin } from './ownership/take-over.ts';
import { type Runner, startRunner } from './runner.ts';
import { createUnsentOrders } from './unsent-orders.ts';
import type { WorkerServices } from './worker-services.ts';

test('a process that claims a taken-over task again aborts its earlier work on it', async (t) => {
  const { calls, runner, order, takeOver } = await open(t, { repeatable: true });
  await order();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
  await takeOver();
  runner.wake();
  await until(
    () => calls.length,
    (count) => count === 2,
  );
  assert.ok(calls[0]?.signal.reason instanceof LostClaim);
  assert.equal(runner.claimedTasks, 1);
});

test('a paid call is not aborted when its task was taken over, also by the same process', async (t) => {
  const { calls, runner, order, takeOver, statusOf } = await open(t, {});
  const id = await order();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
  await takeOver();
  runner.wake();
  await until(
    () => statusOf(id),
    (status) => status === 'failed',
  );
  assert.equal(calls.length, 1, 'it is not sent again');
  assert.equal(calls[0]?.signal.aborted, false);
});

test('a process without a confirmed heartbeat claims nothing, and goes on once it has one', async (t) => {
  const heartbeat = { ...steadyHeartbeat, ageMs: () => age };
  let age = Number.POSITIVE_INFINITY;
  const { calls, runner, order, statusOf } = await open(t, {}, heartbeat);
  const id = await order();
  for (let looks = 0; looks < 3; looks++) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual([await statusOf(id), calls.length], ['queued', 0]);
  age = 0;
  runner.wake();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
});

test('after a silence a process aborts its work on tasks that others have taken over', async (t) => {
  const listeners = new Set<Parameters<WorkerServices['heartbeat']['onReport']>[0]>();
  const report = (confirmedForMs: number) => {
    for (const listener of listeners) listener({ kind: 'confirmed', atMs: 0, confirmedForMs, silent: [] });
  };
  const onReport: WorkerServices['heartbeat']['onReport'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const { calls, order, database } = await open(t, { repeatable: true }, { ...steadyHeartbeat, onReport });
  const id = await order();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
  report(20_000);
  // Another process has claimed it.
  await database.write('claim', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ fence: 7, worker: 'another' }).where('id', '=', id)),
  );
  report(0);
  await until(
    () => calls[0]?.signal.aborted,
    (aborted) => aborted === true,
  );
  assert.ok(calls[0]?.signal.reason instanceof LostClaim);
});

test('a cancel without a notification is found within about a second', async (t) => {
  const canceled: unknown[] = [];
  const { order, cancel } = await open(t, {
    start: async () => ({ operation: { id: 1 }, checkAfterMs: 0 }),
    check: (_operation, _order, context) =>
      new Promise((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
      ),
    cancel: async (operation) => canceled.push(operation) > 0,
  });
  const id = await order();
  await cancel(id);
  await until(
    () => canceled,
    ({ length }) => length === 1,
  );
});

test('a claim of this process without running work is released, and the task goes on', async (t) => {
  let lost = true;
  const { order, rowOf, calls } = await open(t, { repeatable: true }, steadyHeartbeat, {
    after(unit) {
      // The commit of the claim is not confirmed.
      if (!lost || unit !== 'claim_tasks') return;
      lost = false;
      throw new Error('injected');
    },
  });
  const id = await order();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
  assert.equal(lost, false);
  assert.equal((await rowOf(id))?.fence, 3, 'the lost claim, its release, and the one that is worked on');
});

test('an order that its upstream may have ends as outcome_unknown also where that cannot be written at first, past its deadline', async (t) => {
  let canWrite = false;
  const { order, rowOf, clock } = await open(
    t,
    {
      start: async () => {
        clock.advance(24 * 3_600_000);
        throw new EngineError('upstream', 'the connection broke', { took: 'unknown' });
      },
    },
    steadyHeartbeat,
    {
      before(unit) {
        if (canWrite || unit !== 'settle_unknown') return;
        canWrite = true;
        throw new Error('injected');
      },
    },
  );
  const id = await order();
  const row = await until(
    () => rowOf(id),
    (found) => found?.step === 'final',
  );
  assert.match(row?.error_json ?? '', /"outcome_unknown"/);
});

test('a stop ends the call of a task that was taken over meanwhile', async (t) => {
  const { calls, runner, order, takeOver, statusOf } = await open(t, {});
  const id = await order();
  await until(
    () => calls.length,
    (count) => count === 1,
  );
  await takeOver();
  runner.wake();
  await until(
    () => statusOf(id),
    (status) => status === 'failed',
  );
  assert.equal(calls[0]?.signal.aborted, false);
  await runner.stop({ drainMs: 0 });
  assert.equal(calls[0]?.signal.aborted, true);
});

test('after a stop no task is claimed', async (t) => {
  const { calls, runner, order, rowOf } = await open(t, {});
  await runner.stop({ drainMs: 0 });
  const row = await rowOf(await order());
  assert.ok(row);
  runner.resume({ ...row, step: 'preparing' });
  assert.deepEqual([runner.claimedTasks, calls.length], [0, 0]);
});

async function open(
  t: TestContext,
  changes: Partial<Engine>,
  heartbeat = steadyHeartbeat,
  writes: { readonly before?: (name: string) => void; readonly after?: (name: string) => void } = {},
) {
  const { services: whole, clock, database } = await openTestServices(t);
  const write: typeof database.write = async (name, unit, options) => {
    writes.before?.(name);
    const value = await database.write(name, unit, options);
    writes.after?.(name);
    return value;
  };
  const services = { ...whole, database: { ...database, write } };
  const circuits = await openCircuits({ database, clock, onChange: () => {}, onError: () => {} });
  t.after(() => circuits.stop());
  const calls: CallContext[] = [];
  const engine: Engine = {
    name: 'sketch',
    concurrency: 10,
    start: (_order, context) => {
      calls.push(context);
      return new Promise((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
      );
    },
    check: () => Promise.reject(new Error('it never started')),
    ...changes,
  };
  const runner: Runner = startRunner(
    {
      services,
      worker: 'one',
      engines: new Map([[engine.name, engine]]),
      circuits,
      load: plainLoad(),
      moderation: null,
      fetchOutput: () => Promise.reject(new Error('nothing to fetch')),
      heartbeat,
      leaseMs: 15_000,
      unsent: createUnsentOrders(),
      answers: openTestAnswers(t),
    },
    () => [{ name: 'sketch:live', capacity: 10 }],
  );
  t.after(() => runner.stop({ drainMs: 0 }));
  await database.write('process', (trx) => insertProcess(trx, 'one'));
  const key = await insertKey(services);
  const rowOf = async (id: string) => {
    const { read } = database;
    return await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
  };
  return {
    calls,
    clock,
    runner,
    database,
    rowOf,
    /** @returns the task's id. */
    async order(): Promise<string> {
      const { task } = await createTask(services, key, {
        type: 'image',
        path: '/v1/images',
        body: { model_id: 'sketch', prompt: 'a fox' },
        idempotencyKey: null,
        simulate: null,
      });
      runner.wake();
      return task.task_id;
    },
    /** As other processes do when this one has been silent for long. */
    takeOver: () =>
      database.write('take_over', (trx) => takeOverWithin(trx, { id: 'one', beats: 1 }, { withoutTrace: 'all' })),
    statusOf: async (id: string) => (await rowOf(id))?.status,
    async cancel(id: string): Promise<void> {
      await until(
        () => rowOf(id),
        (row) => row?.step === 'running',
      );
      await cancelTask(services, key, 'image', id);
    },
  };
}
