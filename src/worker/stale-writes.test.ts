import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTasks } from '../../test/claim-tasks.ts';
import { forEachDatabase } from '../../test/databases.ts';
import { commitEnding, commitLetGo, commitMove } from '../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import type { Database } from '../database/database.ts';
import { type Claim, claimWork, endWork, releaseWork, renewWork, restartWork } from '../database/work.ts';
import { createTask } from '../orders/create-task.ts';
import { enterDelivery, finishAttempt } from '../tasks/events/webhook-deliveries.ts';
import { LostClaim } from '../tasks/move-task.ts';
import { noteProgress } from '../tasks/note-progress.ts';
import { readTask, type TaskRecord } from '../tasks/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { Attempt } from './apply/attempt.ts';
import { checkLateAgain, expectNothing, reportLate } from './apply/late-result.ts';

/** Every write under a claim: with the fence of an earlier claim it changes nothing, with the claim's own it does. */

type Write = (services: TaskServices, task: TaskRecord) => Promise<unknown>;

const CHARGE = { amount: 1, lines: [] };
const FAILURE = { code: 'timeout', message: 'late' } as const;
const attemptOf = (services: TaskServices, task: TaskRecord) => ({ work: { services }, task }) as Attempt;

/** Of a task that its engine is called for. */
const IN_FLIGHT: Readonly<Record<string, Write>> = {
  'is running': (services, task) => commitMove(services, task, 'running', { operation_json: '{}', progressed_at: 1 }),
  'is deferred': (services, task) => commitMove(services, task, 'deferred'),
  'has another route': (services, task) => commitMove(services, task, 'submitting', { route: task.route }),
  'is let go': (services, task) => commitLetGo(services, task, { afterMs: 1_000, attempts: 9 }),
  'has progressed': (services, task) => noteProgress(services, task, { progress: 50, estimatedEndAt: null }),
  'is estimated': (services, task) => noteProgress(services, task, { progress: null, estimatedEndAt: 5_000 }),
  'has succeeded': (services, task) =>
    commitEnding(services, 'end', task, { status: 'succeeded', outputs: [], keep: null, charge: CHARGE }),
  'has failed': (services, task) => commitEnding(services, 'end', task, { status: 'failed', failure: FAILURE }),
  'was canceled': (services, task) => commitEnding(services, 'end', task, { status: 'canceled' }),
};

/** Of a task that has ended, and whose result may still come. */
const LATE: Readonly<Record<string, Write>> = {
  'had a late result': (services, task) => reportLate(attemptOf(services, task), 'late', { type: 'claimed' }),
  'is checked for a late result again': (services, task) => checkLateAgain(attemptOf(services, task), 1_000),
  'has no late result': (services, task) => expectNothing(attemptOf(services, task)),
};

/** Of a delivery that is being tried. */
const DELIVERY: Readonly<Record<string, (database: Database, claim: Claim) => Promise<unknown>>> = {
  'was accepted': (database, claim) => finish(database, claim, { error: null, nextInMs: null }),
  'was refused for the last time': (database, claim) => finish(database, claim, { error: '500', nextInMs: null }),
  'is tried again': (database, claim) => finish(database, claim, { error: '500', nextInMs: 1_000 }),
  'goes on': (database, claim) => database.write('renew', (trx) => renewWork(trx, claim, 1_000)),
  'is put off': (database, claim) => database.write('release', (trx) => releaseWork(trx, claim, { inMs: 1_000 })),
  'is over': (database, claim) => database.write('end', (trx) => endWork(trx, claim)),
};

async function finish(database: Database, claim: Claim, how: { error: string | null; nextInMs: number | null }) {
  const outcome = { attemptId: `wha_${claim.subject}`, startedAt: 0, durationMs: 1, responseStatus: null, ...how };
  await database.write('finish', (trx) => finishAttempt(trx, claim, outcome));
}

/** What any of these writes may change. */
async function rowsOf({ read }: Database): Promise<unknown> {
  const tables = ['tasks', 'ledger', 'reconciliation', 'work', 'webhook_deliveries', 'webhook_attempts'] as const;
  return await Promise.all(tables.map((table) => read.all(read.builder.selectFrom(table).selectAll())));
}

async function assertFenced(
  database: Database,
  name: string,
  { stale, own }: { readonly stale: () => Promise<unknown>; readonly own: () => Promise<unknown> },
): Promise<void> {
  const before = await rowsOf(database);
  await stale().catch((error: unknown) => assert.ok(error instanceof LostClaim, String(error)));
  assert.deepEqual(await rowsOf(database), before, `${name}: the write of an earlier claim`);
  await own();
  assert.notDeepEqual(await rowsOf(database), before, `${name}: the write of the claim itself`);
}

forEachDatabase((kind) => {
  test('a write under an earlier claim of a task changes nothing, and one under the claim itself does', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const body = { model_id: 'sketch', prompt: 'a fox' };
    const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    const submitting = async () => {
      await createTask(services, key, order);
      const [row] = await claimTasks(database, { worker: 'one', queues, limit: 1 });
      return await commitMove(services, readTask(row ?? assert.fail('nothing was claimed')), 'submitting');
    };
    /** Claimed once more, by another process. */
    const claimAgain = async (task: TaskRecord) => {
      const change = { fence: task.fence + 1, worker: 'another' };
      await database.write('claim', (trx) =>
        trx.run(trx.builder.updateTable('tasks').set(change).where('id', '=', task.id)),
      );
      return { ...task, fence: task.fence + 1 };
    };
    for (const [name, write] of Object.entries(IN_FLIGHT)) {
      const earlier = await submitting();
      const task = await claimAgain(earlier);
      await assertFenced(database, name, {
        stale: () => write(services, earlier),
        own: () => write(services, task),
      });
    }
    for (const [name, write] of Object.entries(LATE)) {
      const { id } = await submitting();
      const { read } = database;
      const row = async () =>
        readTask((await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id)))!);
      await commitEnding(services, 'end', await row(), { status: 'failed', failure: FAILURE, lateResultAfterMs: 1 });
      clock.advance(1);
      const earlier = await row();
      const task = await claimAgain(earlier);
      await assertFenced(database, name, {
        stale: () => write(services, earlier),
        own: () => write(services, task),
      });
    }
  });

  test('an attempt of a delivery whose claim was lost changes nothing, and one with its claim does', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    for (const [index, [name, write]] of Object.entries(DELIVERY).entries()) {
      const id = `whd_${index}`;
      const delivery = { id, account: 'acct', key: 'key', subject: 'img_1', type: 'task.failed', url: 'https://a.b' };
      await database.write('enter', async (trx) =>
        enterDelivery(trx, { ...delivery, type: 'task.failed', now: clock.now() }),
      );
      const claim = async () => {
        const claims = await database.write('claim', (trx) =>
          claimWork(trx, { kind: 'webhook', limit: 100, leaseMs: 60_000, except: [] }),
        );
        return claims.find(({ subject }) => subject === id) ?? assert.fail('nothing was claimed');
      };
      const earlier = await claim();
      // Somebody has it delivered again meanwhile.
      await database.write('restart', async (trx) =>
        restartWork(trx, { kind: 'webhook', subject: id, owner: 'acct', now: services.clock.now() }),
      );
      const current = await claim();
      await assertFenced(database, name, {
        stale: () => write(database, earlier),
        own: () => write(database, current),
      });
    }
  });
});
