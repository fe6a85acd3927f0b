import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartWork } from '@darkroom-service/store';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { commitEnding, commitMove, commitRelease } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { enterDelivery, finishAttempt } from '../additions/webhooks/webhook-deliveries.ts';
import type { Database } from '../database/database.ts';
import { type Claim, claimWork, endWork, releaseWork, renewWork } from '../database/work.ts';
import { createTask } from '../orders/create-task.ts';
import type { TaskRow } from '../record/task.ts';
import { readTask, type TaskRecord } from '../record/task-record.ts';
import { LostClaim } from '../tasks/move-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { checkLateAgain, expectNothing, reportLate } from './apply/late-result.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { storeProgress } from './store-progress.ts';

/** Every write under a claim: with the fence of an earlier claim it changes nothing, with the claim's own it does. */

type Write = (services: TaskServices, task: TaskRecord) => Promise<unknown>;

const CHARGE = { amount: 1, lines: [] };
const FAILURE = { code: 'timeout', message: 'late' } as const;
const attemptOf = (services: TaskServices, task: TaskRecord) => ({ work: { services }, task }) as ClaimedTask;

/** Of a task that its engine is called for. */
const IN_FLIGHT: Readonly<Record<string, Write>> = {
  'is running': (services, task) => commitMove(services, task, 'running', { operation_json: '{}', progressed_at: 1 }),
  'is deferred': (services, task) => commitMove(services, task, 'deferred'),
  'has another route': (services, task) => commitMove(services, task, 'submitting', { route: task.route }),
  'is let go': (services, task) => commitRelease(services, task, { afterMs: 1_000, attempts: 9 }),
  'has progressed': (services, task) => storeProgress(services, task, { progress: 50, estimatedEndAt: null }),
  'is estimated': (services, task) => storeProgress(services, task, { progress: null, estimatedEndAt: 5_000 }),
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

/** The rows that name a task or a delivery, of all tables that any of these writes may change. */
async function rowsOf({ read }: Database, subjects: readonly string[]): Promise<Map<string, unknown>> {
  const tables = ['tasks', 'ledger', 'reconciliation', 'work', 'webhook_deliveries', 'webhook_attempts'] as const;
  const rows = await Promise.all(tables.map((table) => read.all(read.builder.selectFrom(table).selectAll())));
  const namedBy = (subject: string) => rows.flat().filter((row) => Object.values(row).includes(subject));
  return new Map(subjects.map((subject) => [subject, namedBy(subject)]));
}

/** A write of an earlier claim on its subject, and the same write of the present claim. */
interface Fenced {
  readonly name: string;
  readonly subject: string;
  readonly stale: () => Promise<unknown>;
  readonly own: () => Promise<unknown>;
}

/** All stale writes are made at once, and then all others: each has a subject to itself. */
async function assertFenced(database: Database, writes: readonly Fenced[]): Promise<void> {
  const rows = () =>
    rowsOf(
      database,
      writes.map(({ subject }) => subject),
    );
  const before = await rows();
  const lost = (error: unknown) => assert.ok(error instanceof LostClaim, String(error));
  await Promise.all(writes.map(({ stale }) => stale().catch(lost)));
  const after = await rows();
  for (const { name, subject } of writes)
    assert.deepEqual(after.get(subject), before.get(subject), `${name}: the write of an earlier claim`);
  await Promise.all(writes.map(({ own }) => own()));
  const last = await rows();
  for (const { name, subject } of writes)
    assert.notDeepEqual(last.get(subject), before.get(subject), `${name}: the write of the claim itself`);
}

forEachDatabase((kind) => {
  test('a write under an earlier claim of a task changes nothing, and one under the claim itself does', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const { read } = database;
    const key = await insertKey(services);
    const body = { model_id: 'sketch', prompt: 'a fox' };
    const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
    const inFlight = Object.entries(IN_FLIGHT);
    const late = Object.entries(LATE);
    const names = [...inFlight, ...late];
    await Promise.all(names.map(() => createTask(services, key, order)));
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    const claimed = await claimTasks(database, { worker: 'one', queues, limit: names.length });
    const submitting = await Promise.all(claimed.map((row) => commitMove(services, readTask(row), 'submitting')));
    const ending = { status: 'failed', failure: FAILURE, lateResultAfterMs: 1 } as const;
    const isLate = (index: number) => index >= inFlight.length;
    await Promise.all(submitting.map((task, index) => isLate(index) && commitEnding(services, 'end', task, ending)));
    clock.advance(1);
    const earlier = await read.all(read.builder.selectFrom('tasks').selectAll().orderBy('id'));
    // Each is claimed once more, by another process.
    await database.write('claim', (trx) =>
      trx.run(trx.builder.updateTable('tasks').set(({ eb }) => ({ fence: eb('fence', '+', 1), worker: 'another' }))),
    );
    const isFinal = (row: TaskRow) => row.step === 'final';
    const writesOf = (cases: readonly [string, Write][], rows: readonly TaskRow[]) =>
      cases.map(([name, write], index) => {
        const task = readTask(rows[index] ?? assert.fail(`there is no order for ${name}`));
        const own = { ...task, fence: task.fence + 1 };
        return { name, subject: task.id, stale: () => write(services, task), own: () => write(services, own) };
      });
    const writes = [
      ...writesOf(
        inFlight,
        earlier.filter((row) => !isFinal(row)),
      ),
      ...writesOf(late, earlier.filter(isFinal)),
    ];
    assert.equal(writes.length, earlier.length);
    await assertFenced(database, writes);
  });

  test('an attempt of a delivery whose claim was lost changes nothing, and one with its claim does', async (t) => {
    const { database, clock } = await openTestServices(t, kind);
    const now = clock.now();
    const names = Object.entries(DELIVERY).map(([name, write], index) => ({ name, write, id: `whd_${index}` }));
    const delivery = {
      account: 'acct',
      key: 'key',
      subject: 'img_1',
      type: 'task.failed',
      url: 'https://a.b',
      data: null,
    } as const;
    await database.write('enter', async (trx) => {
      for (const { id } of names) enterDelivery(trx, { ...delivery, id, now });
    });
    const claimAll = async () => {
      const claims = await database.write('claim', (trx) =>
        claimWork(trx, { kind: 'webhook', limit: names.length, leaseMs: 60_000, except: [] }),
      );
      return new Map(claims.map((claim) => [claim.subject, claim]));
    };
    const earlier = await claimAll();
    // Somebody has them delivered again meanwhile.
    await database.write('restart', async (trx) => {
      for (const { id } of names) restartWork(trx, { kind: 'webhook', subject: id, owner: 'acct', now });
    });
    const current = await claimAll();
    const claimOf = (claims: ReadonlyMap<string, Claim>, id: string) => claims.get(id) ?? assert.fail(`${id} is free`);
    await assertFenced(
      database,
      names.map(({ name, write, id }) => ({
        name,
        subject: id,
        stale: () => write(database, claimOf(earlier, id)),
        own: () => write(database, claimOf(current, id)),
      })),
    );
  });
});
