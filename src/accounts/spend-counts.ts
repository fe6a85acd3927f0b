import type { Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { periodOf } from './spend-windows.ts';

/**
 * The counters of spending windows within a transaction. Its units add to the same rows, those of a busy key: the sums
 * are kept until the commit, and each row is read once and written once. Rows are written in the order of their names,
 * so that transactions that settle need no lock.
 */

const addToWindow = prepare<{ key: string; period: string; amount: number }, unknown>(
  'spend_add',
  (builder, argument) =>
    builder
      .insertInto('spend_windows')
      .values({ api_key_id: argument('key'), period: argument('period'), amount: argument('amount') })
      .onConflict((conflict) =>
        conflict.columns(['api_key_id', 'period']).doUpdateSet((expression) => ({
          amount: expression('spend_windows.amount', '+', expression.ref('excluded.amount')),
        })),
      ),
);

const addIfCounted = prepare<{ key: string; period: string; amount: number }, unknown>(
  'spend_add_if_counted',
  (builder, argument) =>
    builder
      .updateTable('spend_windows')
      .set((expression) => ({ amount: expression('amount', '+', argument('amount')) }))
      .where('api_key_id', '=', argument('key'))
      .where('period', '=', argument('period')),
);

/** The same for the three windows of a time, in one statement: a key without limits usually has no rows. */
const addToCounted = prepare<{ key: string; day: string; month: string; amount: number }, unknown>(
  'spend_add_counted',
  (builder, argument) =>
    builder
      .updateTable('spend_windows')
      .set((expression) => ({ amount: expression('amount', '+', argument('amount')) }))
      .where('api_key_id', '=', argument('key'))
      .where((expression) =>
        expression.or([
          expression('period', '=', argument('day')),
          expression('period', '=', argument('month')),
          expression('period', '=', 'total'),
        ]),
      ),
);

const selectWindow = prepare<{ key: string; period: string }, { amount: number }>('spend_select', (builder, argument) =>
  builder
    .selectFrom('spend_windows')
    .select('amount')
    .where('api_key_id', '=', argument('key'))
    .where('period', '=', argument('period')),
);

interface Addition {
  amount: Micros;
  /** Whether the row is made if there is none. */
  makesRow: boolean;
}

/** Of one key, within a transaction. */
interface KeyCounts {
  /** By period. */
  readonly rows: Map<string, Addition>;
  /** By day: the sum that each window of a time gets if it has a row. */
  readonly counted: Map<string, { readonly day: string; readonly month: string; amount: Micros }>;
  /** The amounts as stored, by period, when first asked for. */
  readonly stored: Map<string, Promise<Micros>>;
}

interface Counts {
  readonly keys: Map<string, KeyCounts>;
}

const countsOf = (trx: Transaction): Counts => trx.once<Counts>('spend_counts', () => ({ keys: new Map() }));

function countsOfKey(trx: Transaction, keyId: string): KeyCounts {
  const { keys } = countsOf(trx);
  const known = keys.get(keyId);
  if (known !== undefined) return known;
  const made: KeyCounts = { rows: new Map(), counted: new Map(), stored: new Map() };
  keys.set(keyId, made);
  return made;
}

/** Adds to one window of a key that has limits. */
export function countInWindow(
  trx: Transaction,
  keyId: string,
  period: string,
  { amount, makesRow }: Readonly<Addition>,
): void {
  const { rows } = countsOfKey(trx, keyId);
  const known = rows.get(period);
  if (known === undefined) rows.set(period, { amount, makesRow });
  else {
    known.amount += amount;
    known.makesRow ||= makesRow;
  }
  writeBeforeCommit(trx);
}

/** Adds to all windows of a time that have a row. */
export function countIfCounted(trx: Transaction, keyId: string, time: number, amount: Micros): void {
  const { counted } = countsOfKey(trx, keyId);
  const day = periodOf('day', time);
  const known = counted.get(day);
  if (known === undefined) counted.set(day, { day, month: periodOf('month', time), amount });
  else known.amount += amount;
  writeBeforeCommit(trx);
}

/**
 * Returns what a window counts, with what this transaction adds. The stored amount is read once in a transaction:
 * others can only have reduced it since, as long as this one has locked the key's spending.
 */
export async function countedIn(trx: Transaction, keyId: string, period: string): Promise<Micros> {
  const { stored, rows, counted } = countsOfKey(trx, keyId);
  const reading = stored.get(period) ?? storedIn(trx, keyId, period);
  stored.set(period, reading);
  let amount = await reading;
  amount += rows.get(period)?.amount ?? 0;
  for (const { day, month, amount: added } of counted.values())
    if (period === day || period === month || period === 'total') amount += added;
  return amount;
}

/** Returns the stored amount of a window. */
export async function storedIn(session: Session, keyId: string, period: string): Promise<Micros> {
  return (await session.first(selectWindow, { key: keyId, period }))?.amount ?? 0;
}

/** Writes what was counted so far, for a unit that reads or replaces the rows themselves. */
export function writeCounts(trx: Transaction): void {
  sendCounts(countsOf(trx), trx);
}

function writeBeforeCommit(trx: Transaction): void {
  const counts = countsOf(trx);
  trx.beforeCommit('spend_counts', (session) => sendCounts(counts, session));
}

function sendCounts({ keys }: Counts, session: Pick<Transaction, 'send'>): void {
  for (const [key, { rows, counted }] of [...keys].sort(byName)) {
    for (const [period, { amount, makesRow }] of [...rows].sort(byName))
      if (makesRow || amount !== 0) session.send(makesRow ? addToWindow : addIfCounted, { key, period, amount });
    for (const [, { day, month, amount }] of [...counted].sort(byName))
      if (amount !== 0) session.send(addToCounted, { key, day, month, amount });
  }
  keys.clear();
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
