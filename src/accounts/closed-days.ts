import { sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { SummedTable } from '../database/day-sum-tables.ts';

/**
 * Closes days: stores the sums of a day once its rows no longer change, so that reports need not read them. The last
 * sums of a day are stored in the transaction that closes it, so a kill leaves it either open or closed. Days close in
 * order.
 */

/** A kind of daily sums: the queries that sum, store and remove its rows. */
export interface DaySums<Row> {
  readonly name: SummedTable;
  /** Returns the first day, from `day` on, that may have rows; null = no day has. */
  nextDay(session: Session, day: number): Promise<number | null>;
  /** Sums the rows of a day; null = some of them will still change. */
  sumDay(session: Session, day: number): Promise<readonly Row[] | null>;
  /** Removes the stored sums of a day. */
  clear(trx: Transaction, day: number): Promise<void>;
  /** Stores sums of a day. */
  insert(trx: Transaction, day: number, rows: readonly Row[]): Promise<void>;
}

export interface ClosedDays {
  readonly beforeDay: number;
  readonly revision: number;
  /** Rows of days before this one may be removed. */
  readonly removedDay: number;
}

export const DAY_MS = 86_400_000;
/** Milliseconds after its end at which a day is closed. No order is committed later, even if a clock is wrong. */
const CLOSED_AFTER_MS = 2 * 3_600_000;
const STORED_TOGETHER = 500;
const INSERTED_AT_ONCE = 100;

/** Turn of the chores among the long reports of keys, as if they were one of them. */
const CHORES_TURN = { owner: 'chores', isLong: true };

export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Returns the end of the closed days; 0 before the first day is closed. */
export async function readClosedDays(session: Session, name: SummedTable): Promise<ClosedDays> {
  const row = await session.first(
    session.builder
      .selectFrom('closed_days')
      .select(['before_day', 'revision', 'removed_before_day'])
      .where('name', '=', name),
  );
  return { beforeDay: row?.before_day ?? 0, revision: row?.revision ?? 0, removedDay: row?.removed_before_day ?? 0 };
}

/**
 * Runs a report whose rows begin where the sums end. Repeats it if sums were withdrawn or rows removed meanwhile.
 * @param report receives the days before which sums are stored and rows may be removed
 */
export async function withClosedDays<T>(
  session: Session,
  name: SummedTable,
  report: (days: ClosedDays) => Promise<T>,
): Promise<T> {
  for (let before = await readClosedDays(session, name); ; ) {
    const found = await report(before);
    const after = await readClosedDays(session, name);
    if (after.beforeDay >= before.beforeDay && after.removedDay === before.removedDay) return found;
    before = after;
  }
}

/**
 * Closes all days that have passed.
 * @param now by the clock that dates the rows
 * @returns the number of days whose sums were stored
 */
export async function closeDays<Row>(
  database: Database,
  sums: DaySums<Row>,
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  const end = dayOf(now - CLOSED_AFTER_MS);
  const reports = database.reports.inTurn(CHORES_TURN);
  for (let closed = 0; ; ) {
    const state = await readClosedDays(database.read, sums.name);
    if (signal?.aborted === true || state.beforeDay >= end) return closed;
    const next = await sums.nextDay(reports, state.beforeDay);
    // Without any row there is nothing to close yet: closing begins with the day of the first row.
    if (next === null && state.beforeDay === 0) return closed;
    const day = Math.min(next ?? end, end);
    if (day > state.beforeDay) {
      await moveEnd(database, sums.name, state, day);
      continue;
    }
    const rows = await sums.sumDay(reports, day);
    if (rows === null) return closed;
    if (await storeDay(database, sums, state, rows)) closed++;
  }
}

/**
 * Stores the sums of the first open day and closes it, in portions that do not delay orders.
 * @returns false if rows or the end have changed since the state was read
 */
async function storeDay<Row>(
  database: Database,
  sums: DaySums<Row>,
  state: ClosedDays,
  rows: readonly Row[],
): Promise<boolean> {
  const { beforeDay: day } = state;
  let { revision } = state;
  for (let at = 0; at === 0 || at < rows.length; at += STORED_TOGETHER) {
    const isLast = at + STORED_TOGETHER >= rows.length;
    const from = { beforeDay: day, revision };
    // The first portion raises the revision, which ends another process's attempt to store the same day.
    revision += at === 0 && !isLast ? 1 : 0;
    const to = { beforeDay: isLast ? day + 1 : day, revision };
    const isStored = await database.write('close_day', async (trx) => {
      if (!(await move(trx, sums.name, from, to))) return false;
      if (at === 0) await sums.clear(trx, day);
      await sums.insert(trx, day, rows.slice(at, at + STORED_TOGETHER));
      return true;
    });
    if (!isStored) return false;
  }
  return true;
}

/** Inserts rows with few statements, each with few enough values for any database. */
export async function insertInPortions<Row>(
  rows: readonly Row[],
  insert: (some: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) await insert(rows.slice(at, at + INSERTED_AT_ONCE));
}

async function moveEnd(database: Database, name: SummedTable, from: ClosedDays, to: number): Promise<void> {
  await database.write('close_days', (trx) => move(trx, name, from, { ...from, beforeDay: to }));
}

/** Moves the end of the closed days, or confirms it, unless rows or the end have changed since the state was read. */
async function move(
  trx: Transaction,
  name: SummedTable,
  from: Pick<ClosedDays, 'beforeDay' | 'revision'>,
  to: Pick<ClosedDays, 'beforeDay' | 'revision'>,
): Promise<boolean> {
  await trx.run(
    trx.builder
      .insertInto('closed_days')
      .values({ name, before_day: 0, revision: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const moved = await trx.run(
    trx.builder
      .updateTable('closed_days')
      .set({ before_day: to.beforeDay, revision: to.revision })
      .where('name', '=', name)
      .where('before_day', '=', from.beforeDay)
      .where('revision', '=', from.revision),
  );
  return moved > 0;
}

/** Withdraws the sums of a day and of those after it, because a row of the day changes in this transaction. */
export async function reopenDay(trx: Transaction, name: SummedTable, day: number): Promise<void> {
  const before = sql.ref<number>('closed_days.before_day');
  await trx.run(
    trx.builder
      // Inserts a missing row too: the first day may be about to be closed.
      .insertInto('closed_days')
      .values({ name, before_day: 0, revision: 1 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((expression) => ({
          before_day: sql<number>`case when ${before} > ${sql.lit(day)} then ${sql.lit(day)} else ${before} end`,
          revision: expression('closed_days.revision', '+', 1),
        })),
      ),
  );
}
