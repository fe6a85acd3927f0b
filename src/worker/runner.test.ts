import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import { type Engine, EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openRunner } from '../../test/helpers/open-runner.ts';
import { steadyHeartbeat } from '../../test/helpers/steady-heartbeat.ts';
import { LostClaim } from '../tasks/move-task.ts';
import type { WorkerServices } from './worker-services.ts';

test('a process that claims a taken-over task again aborts its earlier work on it', async (t) => {
  const { calls, runner, order, takeOver } = await openRunner(t, { repeatable: true });
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
  const { calls, runner, order, takeOver, statusOf } = await openRunner(t, {});
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
  const { calls, runner, order, statusOf } = await openRunner(t, {}, heartbeat);
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

test('an order begins in the commit that places it, unless this process looks silent to others', async (t) => {
  const heartbeat = { ...steadyHeartbeat, ageMs: () => age };
  let age = 0;
  const { calls, orderAtOnce } = await openRunner(t, {}, heartbeat);
  const begun = await orderAtOnce();
  assert.deepEqual([begun.step, begun.worker], ['submitting', 'one']);
  age = Number.POSITIVE_INFINITY;
  const waiting = await orderAtOnce();
  assert.deepEqual([waiting.step, waiting.worker], ['waiting', null]);
  await until(
    () => calls.length,
    (count) => count === 1,
  );
});

test('an order whose commit fails has begun nowhere', async (t) => {
  const { calls, runner, orderAtOnce } = await openRunner(t, {}, steadyHeartbeat, {
    before(unit) {
      if (unit === 'create_task') throw new Error('the disk is full');
    },
  });
  await assert.rejects(orderAtOnce(), /the disk is full/);
  assert.deepEqual([runner.claimedTasks, calls.length], [0, 0]);
});

for (const [moment, end] of [
  ['before', 'was not made'],
  ['after', 'was made'],
] as const)
  test(`where nobody can tell whether a submission was committed, and it ${end}, the engine is called once, with the submission stored`, async (t) => {
    let isLost = false;
    const { runner, order, rowOf } = await openRunner(
      t,
      {
        async start({ taskId }) {
          steps.push((await rowOf(taskId))?.step);
          throw new EngineError('invalid_input', 'no', { took: 'no' });
        },
      },
      steadyHeartbeat,
      {
        [moment](unit: string) {
          if (isLost || unit !== 'submitting') return;
          isLost = true;
          throw new ServiceError('service_unavailable', 'the connection was lost', { outcomeUnknown: true });
        },
      },
    );
    const steps: unknown[] = [];
    const id = await order();
    await until(
      () => rowOf(id),
      (row) => row?.step === 'final' || (steps.length > 0 && runner.claimedTasks === 0),
    );
    assert.deepEqual([isLost, steps], [true, ['submitting']]);
  });

test('an installation that is held after a submission was stored calls no engine', async (t) => {
  let isHeld = false;
  const after = (unit: string) => {
    isHeld ||= unit === 'submitting';
  };
  const installation = { maySubmit: () => !isHeld };
  const { calls, order, rowOf } = await openRunner(t, {}, steadyHeartbeat, { after }, 'sqlite', { installation });
  const id = await order();
  const row = await until(
    () => rowOf(id),
    (found) => found?.step === 'deferred' || calls.length > 0,
  );
  assert.deepEqual([row?.step, calls.length], ['deferred', 0]);
});

test('an answer that could not be stored at once lies on the disk before the next try', async (t) => {
  const spooled: boolean[] = [];
  const { answers, order, rowOf } = await openRunner(
    t,
    { start: async () => ({ operation: { id: 1 } }), check: async () => ({ status: 'pending', checkAfterMs: 1_000 }) },
    steadyHeartbeat,
    {
      before(unit) {
        if (unit !== 'running') return;
        const kept = answers.keptPath(answers.list()[0]?.key.taskId ?? '');
        spooled.push(existsSync(join(dirname(dirname(kept ?? '')), 'one')));
        if (spooled.length === 1) throw new ServiceError('service_unavailable', 'the database is away');
      },
    },
  );
  const id = await order();
  await until(
    () => rowOf(id),
    (row) => row?.step === 'running',
  );
  assert.deepEqual(spooled, [false, true]);
});

test('the last words of a process would name the task whose call is open, with its upstream, until the call ends', async (t) => {
  const open = new Set<string>();
  const work = (kind: string, description: string) => {
    open.add(`${kind}: ${description}`);
    return () => void open.delete(`${kind}: ${description}`);
  };
  const running = { ...steadyHeartbeat.running, work };
  let refuse = () => {};
  const start = () =>
    new Promise<never>((_, reject) => {
      refuse = () => reject(new EngineError('invalid_input', 'no', { took: 'no' }));
    });
  const { order, statusOf } = await openRunner(t, { start }, { ...steadyHeartbeat, running });
  const id = await order();
  await until(
    () => open.size,
    (size) => size === 1,
  );
  assert.deepEqual([...open], [`call: submit task_id=${id} upstream=sketch`]);
  refuse();
  await until(
    () => statusOf(id),
    (status) => status === 'failed',
  );
  assert.equal(open.size, 0);
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
  const { calls, order, database } = await openRunner(t, { repeatable: true }, { ...steadyHeartbeat, onReport });
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
  const { order, cancel } = await openRunner(t, {
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
  const { order, rowOf, calls } = await openRunner(t, { repeatable: true }, steadyHeartbeat, {
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
  const { order, rowOf, clock } = await openRunner(
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
  const { calls, runner, order, takeOver, statusOf } = await openRunner(t, {});
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

test('an order that a stop overtakes before its submission is written is not submitted, and waits for the next start', async (t) => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const load = {
    async countSubmission() {
      asked.resolve();
      await answered.promise;
      return null;
    },
  };
  const instance = { submissionsPerMinute: 60 } as NonNullable<Engine['instance']>;
  const { calls, runner, order, rowOf } = await openRunner(t, { instance }, steadyHeartbeat, {}, 'sqlite', { load });
  const id = await order();
  await asked.promise;
  const stopped = runner.stop({ drainMs: 60_000 });
  // The stop aborts what it finds before it waits.
  await new Promise((resolve) => setImmediate(resolve));
  answered.resolve();
  await stopped;
  const row = await rowOf(id);
  assert.deepEqual([row?.step, row?.worker, calls.length], ['preparing', null, 0]);
});

test('after a stop no task is claimed', async (t) => {
  const { calls, runner, order, rowOf } = await openRunner(t, {});
  await runner.stop({ drainMs: 0 });
  const row = await rowOf(await order());
  assert.ok(row);
  runner.resume({ ...row, step: 'preparing' });
  assert.deepEqual([runner.claimedTasks, calls.length], [0, 0]);
});
