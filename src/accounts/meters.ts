import { type Compilable, type Selectable, sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/**
 * A subject's use of a limit that all processes share, as one row. A reservation has no row of its own: the task or
 * file that took an amount gives it back, in the transaction that ends it.
 */
export type Meter = Readonly<Omit<Selectable<Schema['meters']>, 'used'>>;

interface Addition extends Meter {
  readonly amount: number;
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;

const insertAmount = prepare<Addition & { limit: number }, { used: number }>('meter_add', (builder, argument) =>
  builder
    .insertInto('meters')
    .values({
      subject: argument('subject'),
      kind: argument('kind'),
      period: argument('period'),
      used: argument('amount'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'kind', 'period'])
        .doUpdateSet((expression) => ({ used: expression('meters.used', '+', expression.ref('excluded.used')) }))
        .where(sql<boolean>`meters.used + excluded.used <= ${argument('limit')}`),
    )
    .returning('used'),
);

/** Adds to those of three windows that have a row, in one statement: a key without limits usually has none. */
const updateAmount = prepare<Omit<Addition, 'period'> & { one: string; two: string; three: string }, unknown>(
  'meter_add_if_counted',
  (builder, argument) =>
    builder
      .updateTable('meters')
      .set((expression) => ({ used: expression('used', '+', argument('amount')) }))
      .where('subject', '=', argument('subject'))
      .where('kind', '=', argument('kind'))
      .where((expression) =>
        expression.or([
          expression('period', '=', argument('one')),
          expression('period', '=', argument('two')),
          expression('period', '=', argument('three')),
        ]),
      ),
);

const selectUsed = prepare<Meter, { used: number }>('meter_used', (builder, argument) =>
  builder
    .selectFrom('meters')
    .select('used')
    .where('subject', '=', argument('subject'))
    .where('kind', '=', argument('kind'))
    .where('period', '=', argument('period')),
);

const deleteBefore = prepare<Meter, unknown>('meter_delete_before', (builder, argument) =>
  builder
    .deleteFrom('meters')
    .where('subject', '=', argument('subject'))
    .where('kind', '=', argument('kind'))
    .where('period', '<', argument('period')),
);

/** Adds an amount that was checked, or gives one back. */
export function add(trx: Transaction, meter: Meter, amount: number): void {
  trx.send(insertAmount, { ...meter, amount, limit: UNLIMITED });
}

/**
 * Adds an amount as long as no more than the limit is used.
 * @param amount at most the limit
 * @returns what is used then; null if it was not added
 */
export async function take(trx: Transaction, meter: Meter, amount: number, limit: number): Promise<number | null> {
  return (await trx.first(insertAmount, { ...meter, amount, limit }))?.used ?? null;
}

/** Removes the rows of windows that sort before that of a meter. */
export function dropBefore(trx: Transaction, meter: Meter): void {
  trx.send(deleteBefore, meter);
}

/** Returns the used amount as stored. */
export async function usedOf(session: Session, meter: Meter): Promise<number> {
  return (await session.first(selectUsed, meter))?.used ?? 0;
}

/**
 * Amounts that the units of a transaction add to the same rows, those of a busy key. They are kept until the commit,
 * and each row is read once and written once. Rows are written in the order of their names, so that transactions that
 * settle need no lock.
 */
interface Gathered {
  readonly sums: Map<string, Sum>;
  /** The amounts as stored, when first asked for. */
  readonly stored: Map<string, Promise<number>>;
  /** The subjects and kinds that are known to have no row. */
  readonly uncounted: Set<string>;
}

interface Sum extends Omit<Meter, 'period'> {
  readonly periods: readonly [string, string, string];
  amount: number;
  /** Whether the row is made if there is none. */
  makesRow: boolean;
}

const gatheredIn = (trx: Transaction): Gathered =>
  trx.once<Gathered>('meters', () => ({ sums: new Map(), stored: new Map(), uncounted: new Set() }));

const nameOf = ({ subject, kind }: Omit<Meter, 'period'>, period: string) => `${subject} ${kind} ${period}`;

/** Adds before the commit. @param makesRow false = only if the window is counted already */
export function addLater(trx: Transaction, meter: Meter, amount: number, makesRow: boolean): void {
  const { subject, kind, period } = meter;
  if (makesRow) gatheredIn(trx).uncounted.delete(nameOf(meter, ''));
  gather(trx, nameOf(meter, period), { subject, kind, periods: [period, period, period], amount, makesRow });
}

/**
 * Spares the transaction a statement for each amount of a subject that has no row. Only for where there is one writer:
 * no other transaction may begin to count it meanwhile.
 */
export function noteUncounted(trx: Transaction, { subject, kind }: Omit<Meter, 'period'>): void {
  gatheredIn(trx).uncounted.add(nameOf({ subject, kind }, ''));
}

/** Adds before the commit to those of three windows that are counted. */
export function addLaterIfCounted(trx: Transaction, sum: Omit<Sum, 'makesRow'>): void {
  if (gatheredIn(trx).uncounted.has(nameOf(sum, ''))) return;
  gather(trx, nameOf(sum, sum.periods.join(' ')), { ...sum, makesRow: false });
}

function gather(trx: Transaction, name: string, sum: Sum): void {
  const gathered = gatheredIn(trx);
  const known = gathered.sums.get(name);
  if (known === undefined) gathered.sums.set(name, sum);
  else {
    known.amount += sum.amount;
    known.makesRow ||= sum.makesRow;
  }
  trx.beforeCommit('meters', (session) => send(gathered, session));
}

/**
 * Returns what is used, with what this transaction adds. The stored amount is read once in a transaction: others can
 * only have reduced it since, as long as this one has locked the subject.
 */
export async function usedIn(trx: Transaction, meter: Meter): Promise<number> {
  const { subject, kind, period } = meter;
  const { sums, stored } = gatheredIn(trx);
  const name = nameOf(meter, period);
  const reading = stored.get(name) ?? usedOf(trx, meter);
  stored.set(name, reading);
  let used = await reading;
  for (const sum of sums.values())
    if (sum.subject === subject && sum.kind === kind && sum.periods.includes(period)) used += sum.amount;
  return used;
}

/**
 * Locks all meters until the transaction ends, and writes what it gathered, for a unit that reads or replaces the rows
 * themselves.
 */
export async function lockMeters(trx: Transaction, database: Database['kind']): Promise<void> {
  // Before any row, so that no other transaction waits for one of this.
  if (database === 'postgres')
    await trx.run({
      compile: () => sql`lock table meters in share row exclusive mode`.compile(trx.builder),
    } as Compilable<unknown>);
  send(gatheredIn(trx), trx);
}

function send({ sums, stored, uncounted }: Gathered, session: Pick<Transaction, 'send'>): void {
  for (const [, { subject, kind, periods, amount, makesRow }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [one, two, three] = periods;
    if (makesRow) session.send(insertAmount, { subject, kind, period: one, amount, limit: UNLIMITED });
    else if (amount !== 0) session.send(updateAmount, { subject, kind, one, two, three, amount });
  }
  sums.clear();
  stored.clear();
  uncounted.clear();
}
