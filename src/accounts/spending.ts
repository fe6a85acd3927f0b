import {
  daysOf,
  type Micros,
  SPEND_WINDOWS,
  type SpendWindow,
  type WindowsIn,
  windowsIn,
} from '@darkroom-service/contract';
import { type Compilable, type Selectable, sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { type AddedAmount, addAmount, SPENDING_COLUMNS } from './add-spending.ts';
import { DAY_MS } from './closed-days.ts';

/*
 * The spending of a subject is one row that all processes share. An order counts in the day and the month in which it
 * was placed, with its price while it is open and its charge afterwards. Each window names its day or month, and a
 * later one replaces it: amounts given back after that count only in the longer windows. A limit in a time zone has
 * separate windows in the row, beside the UTC ones.
 */

/**
 * Thrown if the day of an order is over for its payer: an order of a later day is already counted, by a process whose
 * clock is ahead or while this one was suspended. In its own day the order would count against no limit.
 */
export class DayIsOver extends Error {
  /** Start of the later day, in milliseconds since 1970: an order of that time can be admitted. */
  readonly nextDayAt: number;

  constructor(nextDayAt: number) {
    super(`a day is counted that began at ${new Date(nextDayAt).toISOString()}`);
    this.nextDayAt = nextDayAt;
  }
}

/** Thrown if the windows of a limit's time zone are not counted for a subject; `recountInZone` counts them. */
export class ZoneIsNotCounted extends Error {
  readonly subject: string;
  readonly zone: string;

  constructor(subject: string, zone: string) {
    super(`the days of ${zone} are not counted for ${subject}`);
    this.subject = subject;
    this.zone = zone;
  }
}

/** The row of a subject: days and months since 1970 UTC, and micro-dollars. */
export type StoredSpending = Readonly<Omit<Selectable<Schema['spending']>, 'subject'>>;
/** Micro-dollars by window. */
export type Spent = Readonly<Record<SpendWindow, Micros>>;

interface Sum {
  readonly subject: string;
  readonly day: number;
  readonly month: number;
  amount: number;
  /** Whether the row is made if there is none. */
  makesRow: boolean;
  /** The windows of a time zone in which the whole amount was admitted; null = none, or not known here. */
  readonly windows: WindowsIn | null;
  /** Amounts with the times at which their orders were placed. */
  readonly parts: [orderedAt: number, amount: Micros][];
}

const selectSpending = prepare<{ subject: string }, StoredSpending>('spending', (builder, argument) =>
  builder.selectFrom('spending').select(SPENDING_COLUMNS).where('subject', '=', argument('subject')),
);

/**
 * Amounts that the units of a transaction add to the same rows, as for a busy subject. They are kept until the commit,
 * and each row is read once and written once. Rows are written in the order of their subjects, so that transactions
 * that settle need no lock.
 */
interface Gathered {
  readonly sums: Map<string, Sum>;
  /** The rows as stored, read on first use. */
  readonly stored: Map<string, Promise<StoredSpending | undefined>>;
  /** The subjects that are known to have no row. */
  readonly uncounted: Set<string>;
  /** The windows by which a subject's latest orders were admitted, for time zones other than UTC. */
  readonly admitted: Map<string, WindowsIn>;
}

const gatheredIn = (trx: Transaction): Gathered =>
  trx.once<Gathered>('spending', () => ({
    sums: new Map(),
    stored: new Map(),
    uncounted: new Set(),
    admitted: new Map(),
  }));

/**
 * Adds an amount before the commit, or gives one back if it is negative.
 * @param orderedAt time of the order, which determines its day and month
 * @param makesRow false = only if the subject is counted already
 */
export function addSpending(
  trx: Transaction,
  subject: string,
  amount: Micros,
  orderedAt: number,
  makesRow: boolean,
): void {
  const gathered = gatheredIn(trx);
  if (makesRow) gathered.uncounted.delete(subject);
  else if (gathered.uncounted.has(subject)) return;
  const { day, month } = daysOf(orderedAt);
  const admitted = gathered.admitted.get(subject);
  const windows = admitted !== undefined && admitted.day <= orderedAt && orderedAt < admitted.dayEnd ? admitted : null;
  const name = `${subject} ${day} ${windows?.day ?? ''}`;
  const known = gathered.sums.get(name);
  if (known === undefined)
    gathered.sums.set(name, { subject, day, month, amount, makesRow, windows, parts: [[orderedAt, amount]] });
  else {
    known.amount += amount;
    known.makesRow ||= makesRow;
    const last = known.parts.at(-1)!;
    if (last[0] === orderedAt) last[1] += amount;
    else known.parts.push([orderedAt, amount]);
  }
  trx.beforeCommit('spending', (session) => send(gathered, session));
}

/**
 * Saves the transaction a statement for each amount of a subject that has no row. Only for databases with one writer:
 * no other transaction may begin to count the subject meanwhile.
 */
export function startMetering(trx: Transaction, subject: string): void {
  gatheredIn(trx).uncounted.add(subject);
}

/** Reads the row of a subject; undefined if it is not counted. */
export async function readSpending(session: Session, subject: string): Promise<StoredSpending | undefined> {
  return await session.first(selectSpending, { subject });
}

/**
 * Returns a subject's spending, including this transaction's amounts. The stored amounts are read once in a
 * transaction: while it has the subject locked, others can only have reduced them.
 * @throws DayIsOver, ZoneIsNotCounted
 */
export async function spentWithin(trx: Transaction, subject: string, now: number, zone = 'UTC'): Promise<Spent> {
  const { stored } = gatheredIn(trx);
  const reading = stored.get(subject) ?? readSpending(trx, subject);
  stored.set(subject, reading);
  return spentWith(trx, subject, await reading, now, zone);
}

/**
 * Returns the spending in a row that was just read, including this transaction's amounts.
 * @param zone the time zone of the limits
 * @throws DayIsOver, ZoneIsNotCounted
 */
export function spentWith(
  trx: Transaction,
  subject: string,
  row: StoredSpending | undefined,
  now: number,
  zone = 'UTC',
): Spent {
  const { sums: all, admitted } = gatheredIn(trx);
  const sums = [...all.values()].filter((sum) => sum.subject === subject);
  const newest = Math.max(row?.day ?? 0, ...sums.map(({ day }) => day));
  if (newest > daysOf(now).day) throw new DayIsOver(newest * DAY_MS);
  if (zone === 'UTC') return spentAt(row, now, sums);
  const windows = windowsIn(zone, now);
  if (row !== undefined && !countsZone(row, windows)) throw new ZoneIsNotCounted(subject, zone);
  const days = sums.map((sum) => (sum.windows?.zone === zone ? sum.windows.day : 0));
  const newestDay = Math.max(row?.zone_day ?? 0, ...days);
  if (newestDay > windows.day) throw new DayIsOver(newestDay);
  admitted.set(subject, windows);
  return spentInZone(row, windows, sums);
}

/**
 * Tells whether a row counts the windows of a time zone. Another release of Node may place a zone's days differently: a
 * row whose day overlaps this one does not count it.
 */
export function countsZone(row: StoredSpending, { zone, day, dayEnd }: WindowsIn): boolean {
  const [counted, countedEnd] = [row.zone_day ?? 0, row.zone_day_end ?? 0];
  const isWhole = counted === day || countedEnd <= day || dayEnd <= counted;
  return isWhole && row.zone === zone && row.zone_total === row.total_used;
}

/** Returns the spending in a row. If this process's clock is behind, another process's newer day or month counts. */
export function spentAt(row: StoredSpending | undefined, now: number, sums: readonly Sum[] = []): Spent {
  const current = daysOf(now);
  const sumSince = (window: 'day' | 'month') => {
    const since = Math.max(current[window], row?.[window] ?? 0);
    const used = row !== undefined && row[window] >= since ? row[`${window}_used`] : 0;
    return sums.reduce((sum, { amount, ...of }) => (of[window] >= since ? sum + amount : sum), used);
  };
  return { day: sumSince('day'), month: sumSince('month'), total: totalOf(row, sums) };
}

/** Returns the spending in a row that counts the windows of the limits' time zone. */
export function spentInZone(
  row: StoredSpending | undefined,
  windows: Pick<WindowsIn, 'day' | 'month'>,
  sums: readonly Sum[] = [],
): Spent {
  const sumSince = (window: 'day' | 'month') => {
    const since = Math.max(windows[window], row?.[`zone_${window}`] ?? 0);
    const used = since === row?.[`zone_${window}`] ? (row[`zone_${window}_used`] ?? 0) : 0;
    const parts = sums.flatMap((sum) => sum.parts);
    return parts.reduce((sum, [orderedAt, amount]) => (orderedAt >= since ? sum + amount : sum), used);
  };
  return { day: sumSince('day'), month: sumSince('month'), total: totalOf(row, sums) };
}

function totalOf(row: StoredSpending | undefined, sums: readonly Sum[]): Micros {
  return sums.reduce((sum, { amount }) => sum + amount, row?.total_used ?? 0);
}

/** Locks all spending until the transaction ends, and writes the gathered amounts, for a unit that replaces rows. */
export async function lockAllSpending(trx: Transaction, database: Database['kind']): Promise<void> {
  // Locks before any row, so that no other transaction waits for a row of this one.
  if (database === 'postgres')
    await trx.run({
      compile: () => sql`lock table spending in share row exclusive mode`.compile(trx.builder),
    } as Compilable<unknown>);
  send(gatheredIn(trx), trx);
}

/** Replaces the row of a subject, which then counts no time zone. @param trx with all spending locked */
export async function setSpending(trx: Transaction, subject: string, now: number, spent: Spent): Promise<void> {
  const row = {
    ...daysOf(now),
    ...Object.fromEntries(SPEND_WINDOWS.map((window) => [`${window}_used`, spent[window]] as const)),
    zone: null,
  } as StoredSpending;
  await trx.run(
    trx.builder
      .insertInto('spending')
      .values({ subject, ...row })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(row)),
  );
}

function send({ sums, stored, uncounted, admitted }: Gathered, session: Pick<Transaction, 'send'>): void {
  const inOrder = [...sums.values()].sort((a, b) =>
    a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : a.day - b.day || startOf(a) - startOf(b),
  );
  for (const sum of inOrder)
    if (sum.makesRow || sum.parts.some(([, amount]) => amount !== 0)) session.send(addAmount, amountOf(sum));
  sums.clear();
  stored.clear();
  uncounted.clear();
  admitted.clear();
}

const startOf = ({ windows }: Sum): number => windows?.day ?? 0;

function amountOf({ subject, day, month, amount, makesRow, windows, parts }: Sum): AddedAmount {
  return {
    subject,
    day,
    month,
    amount,
    makes: makesRow ? 1 : 0,
    zone: windows?.zone ?? null,
    zone_day: windows?.day ?? null,
    zone_day_end: windows?.dayEnd ?? null,
    zone_month: windows?.month ?? null,
    newest: Math.max(...parts.map(([orderedAt]) => orderedAt)),
    parts: JSON.stringify(parts),
  };
}
