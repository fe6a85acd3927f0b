import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext, Checked, Engine, Order } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { openRunner } from '../../test/helpers/open-runner.ts';
import { steadyHeartbeat } from '../../test/helpers/steady-heartbeat.ts';

const LONG_MS = 600_000;

/** An engine that works for ever. @param checks gets the context of each check. */
function working(checks: CallContext[], pending: Omit<Extract<Checked, { status: 'pending' }>, 'status'>) {
  return {
    start: async () => ({ operation: {}, checkAfterMs: 1 }),
    async check(_operation, _order, context) {
      checks.push(context);
      return { status: 'pending', ...pending };
    },
    cancel: async () => false,
  } satisfies Partial<Engine>;
}

const times = (count: number) => (checks: readonly unknown[]) => checks.length >= count;

forEachDatabase((kind) => {
  const open = (t: Parameters<typeof openRunner>[0], engine: Partial<Engine>, writes: string[] = []) =>
    openRunner(t, engine, steadyHeartbeat, { before: (name) => writes.push(name) }, kind);

  test('checks that bring no news write nothing, and news are written without giving up the lease', async (t) => {
    const checks: CallContext[] = [];
    const writes: string[] = [];
    const { order, rowOf } = await open(
      t,
      { ...working(checks, { progress: 40, estimatedSeconds: 90, checkAfterMs: 5 }) },
      writes,
    );
    const id = await order();
    await until(() => checks, times(6));
    assert.deepEqual(writes.slice(writes.indexOf('claim_tasks')), [
      'claim_tasks',
      'submitting',
      'running',
      'note_progress',
    ]);
    const row = await rowOf(id);
    assert.deepEqual([row?.step, row?.worker, row?.fence, row?.progress], ['running', 'one', 1, 40]);
    assert.ok(row?.estimated_end_at, 'the first estimate is stored with the progress');
  });

  test('every check gets the order as it was submitted, be its text long or short', async (t) => {
    for (const prompt of ['a fox', 'a fox in the snow '.repeat(400)]) {
      const orders: Order[] = [];
      const checks: CallContext[] = [];
      const engine = working(checks, { checkAfterMs: 5 });
      const { order } = await open(t, {
        ...engine,
        start: async (begun) => {
          orders.push(begun);
          return await engine.start();
        },
        check: (operation, asked, context) => {
          orders.push(asked);
          return engine.check(operation, asked, context);
        },
      });
      await order(prompt);
      await until(() => checks, times(3));
      for (const asked of orders) assert.deepEqual(asked, orders[0]);
      assert.equal(orders[0]?.request.values.prompt, prompt);
    }
  });

  test('a task that waits for its check is checked at once when its customer cancels it, once, and knows of it', async (t) => {
    const checks: CallContext[] = [];
    const { order, cancel, runner } = await open(t, working(checks, { checkAfterMs: LONG_MS }));
    const id = await order();
    await until(() => checks, times(1));
    await cancel(id);
    runner.cancelRequested(id);
    await until(() => checks, times(2));
    assert.deepEqual(
      checks.map(({ cancelRequested }) => cancelRequested),
      [false, true],
    );
    runner.cancelRequested(id);
    runner.wake();
    await until(
      () => runner.claimedTasks,
      (claimed) => claimed === 0,
    );
    assert.equal(checks.length, 2, 'its engine has been asked to stop it');
  });

  test('a stop releases the tasks that wait for a check until that check', async (t) => {
    const checks: CallContext[] = [];
    const { order, rowOf, runner } = await open(t, working(checks, { checkAfterMs: LONG_MS }));
    const id = await order();
    await until(() => checks, times(1));
    const claimed = await rowOf(id);
    await runner.stop({ drainMs: 0 });
    const row = await rowOf(id);
    assert.deepEqual([row?.step, row?.worker, row?.fence], ['running', null, claimed?.fence]);
    assert.ok((row?.next_at ?? 0) < (claimed?.next_at ?? 0), 'its check is before the end of the lease');
    assert.ok((row?.next_at ?? 0) > (row?.created_at ?? 0), 'it is not due at once');
  });

  test('a task that another process has taken over is not checked any more by the first one', async (t) => {
    const checks: CallContext[] = [];
    const { order, rowOf, runner, database } = await open(t, working(checks, { checkAfterMs: LONG_MS }));
    const id = await order();
    await until(() => checks, times(1));
    await database.write('claim', (trx) =>
      trx.run(trx.builder.updateTable('tasks').set({ fence: 7, worker: 'another' }).where('id', '=', id)),
    );
    runner.cancelRequested(id);
    await order();
    await until(() => checks, times(2));
    await runner.stop({ drainMs: 0 });
    const row = await rowOf(id);
    assert.deepEqual([checks.length, row?.worker, row?.fence], [2, 'another', 7]);
  });
});
