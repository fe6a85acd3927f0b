import assert from 'node:assert/strict';
import { balanceOf } from '../../src/accounts/ledger.ts';
import { storedBytesOf } from '../../src/accounts/stored-bytes.ts';
import { auditBatches } from '../../src/additions/batches/audit-batches.ts';
import type { Session } from '../../src/database/database.ts';
import { GATES, hasPlace, isClosed } from '../../src/queue/gates.ts';
import { isFinal, type TaskRow } from '../../src/record/task.ts';
import { auditDaySums } from '../../src/service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../../src/service/doctor/audit-end-users.ts';
import { auditBalances, auditSettlements } from '../../src/service/doctor/audit-ledger.ts';
import { auditSpending } from '../../src/service/doctor/audit-spending.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { END_USERS } from './commands.ts';
import { type Customer, tasksOf } from './run-command.ts';

const MOST_IN_LINE = 32;

/** Judges what holds whenever no transaction is open. */
export async function judgeMoment(services: TaskServices, { key }: Customer): Promise<void> {
  const { read } = services.database;
  const rows = await tasksOf(services, key);
  const stored = await read.first(read.builder.selectFrom('api_keys').select('concurrency').where('id', '=', key.id));
  const slots = stored?.concurrency || Number.POSITIVE_INFINITY;
  const taken = rows.filter(({ claimable }) => claimable === 1).length;
  for (const { id, gates, claimable, worker, step, rank } of rows) {
    if (gates !== 0) assert.deepEqual([id, claimable, step], [id, 0, 'waiting']);
    if (!hasPlace({ gates }))
      assert.deepEqual([worker, rank], [null, -1], `${id} has a place before its gates are open`);
    if (step === 'final') assert.equal(claimable, 0, `${id} has ended and keeps a slot`);
    if (step === 'waiting' && gates === 0) assert.ok(rank >= 0, `${id} has no place`);
    if (step === 'waiting' && gates === 0 && claimable === 0)
      assert.ok(taken >= slots, `${id} waits for a slot, and ${taken} of ${slots} are taken`);
  }
}

/**
 * Judges whether every order that has not ended, once nobody has anything to do, waits for what has an end in the
 * future and is really still to come.
 */
export async function judgeWaiting(services: TaskServices, { key }: Customer): Promise<void> {
  const { read } = services.database;
  const now = services.clock.now();
  const rows = await tasksOf(services, key);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    if (isFinal(row.status)) continue;
    const what = `${row.id} is ${row.step}, gates ${row.gates}, claimable ${row.claimable}`;
    // A process that claimed it to look at it, and ended: its lease is short, since no engine has the order.
    const isLeased = row.step === 'waiting' && row.next_at !== null && now < row.next_at;
    assert.ok(row.worker === null || isLeased, `${what}: nobody works on it`);
    if (row.worker !== null) continue;
    if (isClosed(row, 'parent')) {
      // Its own time has not begun, and it ends with its parents, which are judged themselves.
      assert.ok(await waitsForParent(read, row.id, byId, now), `${what}: its parents have ended`);
    } else if (isClosed(row, 'batch')) {
      assert.ok(await isBatchFull(read, row.id, byId), `${what}: its batch has room`);
    } else if (isClosed(row, 'reference')) {
      const work = await dueAt(read, 'references', row.id);
      assert.ok(work !== null && now < work && now < row.deadline_at, `${what}: nobody will fetch its references`);
    } else if (row.step === 'deferred' || isClosed(row, 'route')) {
      assert.ok(row.next_at !== null && now < row.next_at, `${what}: nobody looks at it again`);
    } else {
      // That no slot is free is judged at each moment.
      assert.deepEqual([row.step, row.claimable], ['waiting', 0], `${what}: nobody claims it`);
    }
  }
}

async function waitsForParent(
  read: Session,
  id: string,
  byId: ReadonlyMap<string, TaskRow>,
  now: number,
): Promise<boolean> {
  const waits = await read.all(read.builder.selectFrom('task_waits').selectAll().where('child_id', '=', id));
  for (const { parent_id: parent, met } of waits) {
    if (byId.get(parent)?.step !== 'final') return true;
    if (met === 0 && (await dueAt(read, 'children', parent)) !== null)
      return now < (await dueAt(read, 'children', parent))!;
  }
  return false;
}

async function isBatchFull(read: Session, id: string, byId: ReadonlyMap<string, TaskRow>): Promise<boolean> {
  const { builder } = read;
  const batch = await read.first(
    builder
      .selectFrom('batches')
      .innerJoin('batch_orders', 'batch_orders.batch_id', 'batches.id')
      .select(['batches.id', 'max_parallel', 'batches.status'])
      .where('task_id', '=', id),
  );
  if (batch === undefined || batch.status !== 'processing') return false;
  const orders = await read.all(builder.selectFrom('batch_orders').select('task_id').where('batch_id', '=', batch.id));
  const isIn = (row: TaskRow | undefined) =>
    row !== undefined && row.step !== 'final' && (row.gates & GATES.batch) === 0;
  const letIn = orders.filter(({ task_id }) => isIn(byId.get(task_id))).length;
  return letIn >= (batch.max_parallel ?? MOST_IN_LINE);
}

async function dueAt(read: Session, kind: 'references' | 'children', subject: string): Promise<number | null> {
  const work = read.builder.selectFrom('work').select('due_at').where('kind', '=', kind).where('subject', '=', subject);
  return (await read.first(work))?.due_at ?? null;
}

/** Judges what holds once all has ended: slots, money, meters and batches equal a slow recount. */
export async function judgeEnd(services: TaskServices, customers: readonly Customer[]): Promise<void> {
  const { read } = services.database;
  const { builder } = read;
  const now = services.clock.now();
  for (const { key } of customers) {
    const rows = await tasksOf(services, key);
    const open = rows.filter(({ step, claimable, gates }) => step !== 'final' || claimable !== 0 || gates !== 0);
    assert.deepEqual(
      open.map(({ id }) => id),
      [],
      'orders that have not ended, or keep a slot or a gate',
    );
    const sum = (values: readonly (number | null)[]) =>
      values.reduce<number>((total, value) => total + (value ?? 0), 0);
    assert.equal(
      await balanceOf(read, key.account.id, key.mode),
      0 - sum(rows.map(({ charged }) => charged)),
      'balance',
    );
    const bytesOf = (some: readonly TaskRow[]) => sum(some.map(({ input_bytes: bytes }) => bytes));
    assert.equal(await storedBytesOf(read, key.id), bytesOf(rows), 'stored bytes');
    for (const endUser of END_USERS)
      assert.equal(
        await storedBytesOf(read, key.id, endUser),
        bytesOf(rows.filter((row) => row.end_user === endUser)),
        `stored bytes of ${endUser}`,
      );
    const batches = builder.selectFrom('batches').select('id').where('api_key_id', '=', key.id);
    assert.deepEqual(await read.all(batches.where('status', '=', 'processing')), [], 'batches that have not ended');
  }
  assert.deepEqual(await read.all(builder.selectFrom('task_waits').selectAll()), [], 'nothing waits any more');
  const left = builder.selectFrom('work').select(['kind', 'subject']).where('kind', 'in', ['children', 'references']);
  assert.deepEqual(await read.all(left), [], 'nothing is to be done any more');
  for (const { faults } of await Promise.all([
    auditBalances(read),
    auditSettlements(read),
    auditSpending(read, services.hooks, now),
    auditEndUsers(read, now),
    auditDaySums(read),
    auditBatches(read),
  ]))
    assert.deepEqual(faults, []);
}
