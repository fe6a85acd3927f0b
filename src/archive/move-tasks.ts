import { sql } from 'kysely';
import { dayOf } from '../accounts/closed-days.ts';
import { advanceCheckpoint } from '../accounts/ledger.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { SummedTable } from '../database/day-sum-tables.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { moveSums } from './move-sums.ts';

/**
 * Deletes the rows of archived tasks and moves what they add to sums, in one transaction. Tasks that have changed since
 * they were archived, or that another process has moved, stay as they are.
 * @returns how many were moved
 */
export async function moveTasks(
  database: Database,
  archiveId: string,
  records: readonly ArchiveRecord[],
): Promise<number> {
  return await database.write('archive_tasks', async (trx) => {
    await lockDays(trx, 'usage', Math.max(...records.map(({ task }) => dayOf(task.created_at))));
    const costDays = records.flatMap(({ cost }) => (cost === null ? [] : [dayOf(cost.settled_at)]));
    if (costDays.length > 0) await lockDays(trx, 'costs', Math.max(...costDays));
    const unchanged = await unchangedRecords(trx, records);
    if (unchanged.length === 0) return 0;
    await assertCovered(trx, unchanged);
    await moveSums(trx, unchanged);
    await deleteRows(trx, unchanged);
    await trx.run(
      trx.builder
        .updateTable('archives')
        .set((expression) => ({ moved: expression('moved', '+', unchanged.length) }))
        .where('id', '=', archiveId),
    );
    return unchanged.length;
  });
}

/**
 * Moves the checkpoints of balances past the entries, so that no balance is summed from them any more.
 * @returns whether one was moved: who read the one before may be about to sum the entries after it
 */
export async function coverEntries(
  database: Database,
  records: readonly ArchiveRecord[],
  now: number,
): Promise<boolean> {
  let moved = false;
  for (const { account, mode, last } of lastEntries(records)) {
    if ((await checkpointOf(database.read, account, mode)) >= last) continue;
    await database.write('checkpoint', (trx) => advanceCheckpoint(trx, account, mode, now, 1));
    moved = true;
  }
  return moved;
}

async function assertCovered(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  for (const { account, mode, last } of lastEntries(records))
    if ((await checkpointOf(trx, account, mode)) < last)
      throw new Error(`the balance of account ${account} (${mode}) has no checkpoint after ledger entry ${last}`);
}

function lastEntries(records: readonly ArchiveRecord[]) {
  const entries = records.flatMap(({ ledger }) => ledger);
  const groups = Map.groupBy(entries, (entry) => `${entry.account_id} ${entry.mode}`);
  return [...groups.values()].map((members) => ({
    account: members[0]!.account_id,
    mode: members[0]!.mode,
    last: Math.max(...members.map(({ id }) => id)),
  }));
}

async function checkpointOf(session: Session, account: string, mode: 'live' | 'test'): Promise<number> {
  const row = await session.first(
    session.builder
      .selectFrom('ledger_checkpoints')
      .select('ledger_id')
      .where('account_id', '=', account)
      .where('mode', '=', mode),
  );
  return row?.ledger_id ?? 0;
}

/** Holds the sums of days until the end of the transaction. @throws Error if the day is not closed */
async function lockDays(trx: Transaction, name: SummedTable, last: number): Promise<void> {
  const locked = await trx.run(
    trx.builder
      .updateTable('closed_days')
      .set((expression) => ({ revision: expression('revision', '+', 1) }))
      .where('name', '=', name)
      .where('before_day', '>', last),
  );
  if (locked === 0) throw new Error(`the sums (${name}) of days whose tasks are to be archived are not stored yet`);
}

async function unchangedRecords(trx: Transaction, records: readonly ArchiveRecord[]): Promise<ArchiveRecord[]> {
  const ids = records.map(({ task }) => task.id);
  const rows = await trx.all(
    trx.builder
      .selectFrom('tasks')
      .select(['id', 'revision'])
      .select(sql<number>`(select count(*) from ledger where ledger.task_id = tasks.id)`.as('entries'))
      .where('id', 'in', ids)
      .where('step', '=', 'final')
      .where('erased_at', 'is not', null)
      .forUpdate(),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return records.filter(({ task, ledger }) => {
    const row = found.get(task.id);
    return row !== undefined && row.revision === task.revision && Number(row.entries) === ledger.length;
  });
}

async function deleteRows(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const ids = records.map(({ task }) => task.id);
  const { builder } = trx;
  await trx.run(builder.deleteFrom('ledger').where('task_id', 'in', ids));
  await trx.run(builder.deleteFrom('idempotency').where('subject_id', 'in', ids));
  await trx.run(builder.deleteFrom('task_costs').where('task_id', 'in', ids));
  const deleted = await trx.run(builder.deleteFrom('tasks').where('id', 'in', ids));
  if (deleted !== ids.length) throw new Error(`${deleted} instead of ${ids.length} tasks were deleted`);
}
