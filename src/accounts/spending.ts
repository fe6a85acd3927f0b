import { daysOf, type Micros, SPEND_WINDOWS, type SpendWindow } from '@darkroom-service/contract';
import { type Compilable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { DAY_MS } from './closed-days.ts';

/*
 * What a subject spends is one row that all processes share. An order counts in the day and the month in which it was
 * placed, with its price while it is open and its charge afterwards. Each window names its day or month, and a later
 * one replaces it: what is given back after that counts in the longer windows alone.
 */

/**
 * Says that the day of an order is over for whoever pays it: an order of a later one is counted already, by a process
 * whose clock is ahead or while this one stood still. In its own day it would count against no limit.
 */
export class DayIsOver extends Error {
  /** When the later day begins, in milliseconds since 1970: an order of that time can be admitted. */
  readonly nextDayAt: number;

  constructor(nextDayAt: number) {
    super(`a day is counted that began at ${new Date(nextDayAt).toISOString()}`);
    this.nextDayAt = nextDayAt;
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
}

const addAmount = prepare<Omit<Sum, 'makesRow'> & { makes: number }, unknown>('spending_add', (builder, argument) =>
  builder
    .insertInto('spending')
    .columns(['subject', 'day', 'day_used', 'month', 'month_used', 'total_used'])
    .expression(
      builder
        .selectNoFrom([
          argument('subject').as('subject'),
          argument('day').as('day'),
          argument('amount').as('day_used'),
          argument('month').as('month'),
          argument('amount').as('month_used'),
          argument('amount').as('total_used'),
        ])
        .where(({ or, exists }) =>
          or([
            sql<SqlBool>`${argument('makes')} = 1`,
            exists(builder.selectFrom('spending').select('subject').where('subject', '=', argument('subject'))),
          ]),
        ),
    )
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((expression) => ({
        ...added('day'),
        ...added('month'),
        total_used: expression('spending.total_used', '+', expression.ref('excluded.total_used')),
      })),
    ),
);

function added(window: 'day' | 'month') {
  const [stored, given] = [sql.ref(`spending.${window}`), sql.ref(`excluded.${window}`)];
  const [used, amount] = [sql.ref(`spending.${window}_used`), sql.ref(`excluded.${window}_used`)];
  return {
    [window]: sql<number>`case when ${given} > ${stored} then ${given} else ${stored} end`,
    [`${window}_used`]: sql<number>`case when ${given} > ${stored} then ${amount}
      when ${given} = ${stored} then ${used} + ${amount} else ${used} end`,
  };
}

const selectSpending = prepare<{ subject: string }, StoredSpending>('spending', (builder, argument) =>
  builder
    .selectFrom('spending')
    .select(['day', 'day_used', 'month', 'month_used', 'total_used'])
    .where('subject', '=', argument('subject')),
);

/**
 * Amounts that the units of a transaction add to the same rows, those of a busy subject. They are kept until the
 * commit, and each row is read once and written once. Rows are written in the order of their subjects, so that
 * transactions that settle need no lock.
 */
interface Gathered {
  readonly sums: Map<string, Sum>;
  /** The rows as stored, when first asked for. */
  readonly stored: Map<string, Promise<StoredSpending | undefined>>;
  /** The subjects that are known to have no row. */
  readonly uncounted: Set<string>;
}

const gatheredIn = (trx: Transaction): Gathered =>
  trx.once<Gathered>('spending', () => ({ sums: new Map(), stored: new Map(), uncounted: new Set() }));

/**
 * Adds an amount before the commit, or gives one back.
 * @param orderedAt when the order was placed, by which it belongs to a day and a month
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
  const name = `${subject} ${day}`;
  const known = gathered.sums.get(name);
  if (known === undefined) gathered.sums.set(name, { subject, day, month, amount, makesRow });
  else {
    known.amount += amount;
    known.makesRow ||= makesRow;
  }
  trx.beforeCommit('spending', (session) => send(gathered, session));
}

/**
 * Spares the transaction a statement for each amount of a subject that has no row. Only for where there is one writer:
 * no other transaction may begin to count it meanwhile.
 */
export function noteUncounted(trx: Transaction, subject: string): void {
  gatheredIn(trx).uncounted.add(subject);
}

/** Reads the row of a subject; undefined if it is not counted. */
export async function readSpending(session: Session, subject: string): Promise<StoredSpending | undefined> {
  return await session.first(selectSpending, { subject });
}

/**
 * Returns what a subject spends, with what this transaction adds. The stored amounts are read once in a transaction:
 * others can only have reduced them since, as long as this one has locked the subject.
 * @throws DayIsOver
 */
export async function spentWithin(trx: Transaction, subject: string, now: number): Promise<Spent> {
  const { stored } = gatheredIn(trx);
  const reading = stored.get(subject) ?? readSpending(trx, subject);
  stored.set(subject, reading);
  return spentWith(trx, subject, await reading, now);
}

/**
 * Returns what a row that was just read says, with what this transaction adds to it.
 * @throws DayIsOver
 */
export function spentWith(trx: Transaction, subject: string, row: StoredSpending | undefined, now: number): Spent {
  const sums = [...gatheredIn(trx).sums.values()].filter((sum) => sum.subject === subject);
  const newest = Math.max(row?.day ?? 0, ...sums.map(({ day }) => day));
  if (newest > daysOf(now).day) throw new DayIsOver(newest * DAY_MS);
  return spentAt(row, now, sums);
}

/** Returns what a row says. If this process's clock is behind, the newer day or month of another one counts. */
export function spentAt(row: StoredSpending | undefined, now: number, sums: readonly Sum[] = []): Spent {
  const current = daysOf(now);
  const sumSince = (window: 'day' | 'month') => {
    const since = Math.max(current[window], row?.[window] ?? 0);
    const used = row !== undefined && row[window] >= since ? row[`${window}_used`] : 0;
    return sums.reduce((sum, { amount, ...of }) => (of[window] >= since ? sum + amount : sum), used);
  };
  const total = sums.reduce((sum, { amount }) => sum + amount, row?.total_used ?? 0);
  return { day: sumSince('day'), month: sumSince('month'), total };
}

/**
 * Locks all spending until the transaction ends, and writes what it gathered, for a unit that replaces rows.
 */
export async function lockAllSpending(trx: Transaction, database: Database['kind']): Promise<void> {
  // Before any row, so that no other transaction waits for one of this.
  if (database === 'postgres')
    await trx.run({
      compile: () => sql`lock table spending in share row exclusive mode`.compile(trx.builder),
    } as Compilable<unknown>);
  send(gatheredIn(trx), trx);
}

/** Replaces the row of a subject. @param trx with all spending locked */
export async function setSpending(trx: Transaction, subject: string, now: number, spent: Spent): Promise<void> {
  const row = {
    ...daysOf(now),
    ...Object.fromEntries(SPEND_WINDOWS.map((window) => [`${window}_used`, spent[window]] as const)),
  } as StoredSpending;
  await trx.run(
    trx.builder
      .insertInto('spending')
      .values({ subject, ...row })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(row)),
  );
}

function send({ sums, stored, uncounted }: Gathered, session: Pick<Transaction, 'send'>): void {
  const inOrder = [...sums.values()].sort((a, b) =>
    a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : a.day - b.day,
  );
  for (const { makesRow, ...sum } of inOrder)
    if (makesRow || sum.amount !== 0) session.send(addAmount, { ...sum, makes: makesRow ? 1 : 0 });
  sums.clear();
  stored.clear();
  uncounted.clear();
}
