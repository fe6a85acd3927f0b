import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { assertBooks, assertReconciliation, readTasks } from './books.ts';
import { type ChildService, openPremises, type Premises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

/** How long each thing takes. */
export interface StallTimes {
  /** Left out, it is that of the service. */
  readonly lease?: { readonly ms: number; readonly renewEveryMs: number };
  readonly answersAfterMs: number;
  /** Longer than the lease. */
  readonly stalledForMs: number;
}

const ENGINE = 'paid-blocking';
const ENDLESS = 'paid-endless';
const ORDERS = 3;

/**
 * Three paid orders are under way in a process whose event loop then stands still, beside a worker on the same
 * database.
 */
export async function blockLoop(t: TestContext, onPostgres: boolean, times: StallTimes): Promise<void> {
  const { premises, start, order, assertAllSucceeded } = await open(t, onPostgres, times);
  const stalled = await start('stalled', 'all');
  const ids = await order(stalled, ORDERS);
  await start('beside', 'worker');
  stalled.block(times.stalledForMs);
  await assertAllSucceeded(ids);
  await assertPromises(premises);
}

/**
 * One of two workers is paused with paid orders under way, and comes back. Meanwhile another worker, with an order of
 * its own, is killed: its order ends as of unknown outcome, at once.
 */
export async function pauseWorker(t: TestContext, times: StallTimes): Promise<void> {
  const { premises, start, order, assertAllSucceeded } = await open(t, true, times);
  const paused = await start('paused', 'all');
  const ids = await order(paused, ORDERS);
  paused.process.kill('SIGSTOP');
  const killed = await start('killed', 'all');
  const [lost = ''] = await order(killed, 1, ENDLESS);
  const beside = await start('beside', 'all');
  killed.process.kill('SIGKILL');
  await once(killed.process, 'exit');
  const [task] = await until(
    async () => (await readTasks(premises.database)).filter(({ id }) => id === lost),
    ([row]) => row?.step === 'final',
  );
  assert.match(task?.error_json ?? `it has ${task?.status}`, /"outcome_unknown"/);
  // All the while the others have seen nothing of the paused one.
  await pause(times.stalledForMs);
  for (const row of (await readTasks(premises.database)).filter(({ id }) => ids.includes(id)))
    assert.equal(row.step, 'submitting', 'nobody gives up a paid call whose process may come back');
  paused.process.kill('SIGCONT');
  await assertAllSucceeded(ids);
  assert.equal(beside.hasEnded(), false);
  await assertPromises(premises);
}

/**
 * A process with paid orders under way loses its line to PostgreSQL for longer than the lease, while another one keeps
 * its own.
 */
export async function loseLine(t: TestContext, times: StallTimes): Promise<void> {
  const { premises, start, order, assertAllSucceeded } = await open(t, true, times);
  const line = await openBreakableConnection(t, premises.databaseUrl ?? '');
  const cut = await start('cut', 'all', { DARKROOM_DATABASE_URL: line.url });
  const ids = await order(cut, ORDERS);
  await start('beside', 'worker');
  line.cut();
  await pause(times.stalledForMs);
  line.mend();
  await assertAllSucceeded(ids);
  await assertPromises(premises);
}

async function open(t: TestContext, onPostgres: boolean, { lease, answersAfterMs }: StallTimes) {
  const engines = [
    { name: ENGINE, blocking: true, startMs: answersAfterMs, workMs: 0 },
    { name: ENDLESS, blocking: true, startMs: 3_600_000 },
  ];
  const premises = await openPremises(t, engines, onPostgres);
  return {
    premises,
    start: (name: string, role: 'all' | 'worker', variables: Readonly<Record<string, string>> = {}) =>
      premises.start({
        variables: {
          DARKROOM_ROLE: role,
          DARKROOM_PUBLIC_URL: 'http://127.0.0.1',
          // On PostgreSQL each process has a directory of its own, and they share the files.
          ...(onPostgres ? { DARKROOM_DATA_DIR: join(premises.directory, name) } : {}),
          ...variables,
        },
        ...(lease === undefined ? {} : { tempo: { lease } }),
      }),
    /** @returns the ids of the tasks, once the process has handed each of them over. */
    async order(child: ChildService, count: number, model_id = ENGINE): Promise<string[]> {
      const ids: string[] = [];
      for (let place = 0; place < count; place++) {
        const answer = await child.call(premises.keys.live, 'POST', '/v1/images', {
          model_id,
          prompt: 'a fox',
        });
        assert.equal(answer.status, 201);
        ids.push(answer.body.data.task_id);
      }
      await until(
        () => readSubmissions(premises.books).map(({ taskId }) => taskId),
        (handedOver) => ids.every((id) => handedOver.includes(id)),
      );
      return ids;
    },
    async assertAllSucceeded(ids: readonly string[]): Promise<void> {
      const tasks = await until(
        async () => (await readTasks(premises.database)).filter(({ id }) => ids.includes(id)),
        (rows) => rows.every(({ step }) => step === 'final'),
      );
      for (const { id, status, error_json } of tasks) assert.equal(status, 'succeeded', `${id}: ${error_json}`);
    },
  };
}

async function assertPromises(premises: Premises): Promise<void> {
  await assertBooks(premises);
  await assertReconciliation(premises);
}
