import type { Micros } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { scopeDigest } from './scope.ts';
import { SPEND_WINDOWS, type SpendWindow, windowStart } from './spend-windows.ts';

/**
 * Sums what an end user of a key spends per window, from the key's tasks and the orders of batches that become tasks. A
 * task counts in the windows of its creation: its price while held, its charge once settled. Nothing is kept beside the
 * tasks but a checkpoint: the sum of older tasks, all of them final. A refund of one withdraws it.
 */

/** Micro-dollars of the orders of one window. */
interface Spending {
  readonly charged: Micros;
  readonly held: Micros;
}
type SpendingByWindow = { readonly [window in SpendWindow]: Spending };

/** The cost of an end user's orders before `at`: in all, and within the month and the day of `at`. */
export interface Checkpoint {
  readonly at: number;
  readonly day: Micros;
  readonly month: Micros;
  readonly total: Micros;
}

interface SumArguments {
  key: string;
  user: string;
  erased: string;
  from: number;
  to: number;
  month: number;
  day: number;
}

interface SumRow {
  orders: number;
  /** When the oldest order without an end was placed. */
  open_since: number | null;
  day_charged: number | null;
  day_held: number | null;
  month_charged: number | null;
  month_held: number | null;
  total_charged: number | null;
  total_held: number | null;
}

/** One statement, so that an order that is erased meanwhile counts exactly once. */
const sumOrders = prepare<SumArguments, SumRow>('end_user_sums', (builder, argument) => {
  const orders = (column: 'end_user' | 'erased_end_user', name: 'user' | 'erased') =>
    builder
      .selectFrom('tasks')
      .select(['created_at', 'price', 'charged'])
      .where('api_key_id', '=', argument('key'))
      .where(column, '=', argument(name))
      .where('created_at', '>=', argument('from'))
      .where('created_at', '<', argument('to'));
  const removed = builder
    .selectFrom('removed_spending')
    .select(['created_at', sql<number>`0`.as('price'), 'charged'])
    .where('api_key_id', '=', argument('key'))
    .where('erased_end_user', '=', argument('erased'))
    .where('created_at', '>=', argument('from'))
    .where('created_at', '<', argument('to'));
  const since = (start: 'month' | 'day', amount: 'charged' | 'price') =>
    sql<number | null>`sum(case when created_at >= ${argument(start)}${
      amount === 'price' ? sql` and charged is null` : sql``
    } then ${sql.ref(amount)} end)`;
  return builder
    .selectFrom(orders('end_user', 'user').unionAll(orders('erased_end_user', 'erased')).unionAll(removed).as('orders'))
    .select((expression) => [
      expression.fn.countAll<number>().as('orders'),
      sql<number | null>`min(case when charged is null then created_at end)`.as('open_since'),
      since('day', 'charged').as('day_charged'),
      since('day', 'price').as('day_held'),
      since('month', 'charged').as('month_charged'),
      since('month', 'price').as('month_held'),
      expression.fn.sum<number | null>('charged').as('total_charged'),
      sql<number | null>`sum(case when charged is null then price end)`.as('total_held'),
    ]);
});

const saveCheckpoint = prepare<
  { key: string; user: string; at: number; day: number; month: number; total: number },
  unknown
>('end_user_checkpoint', (builder, argument) => {
  const closed = {
    closed_at: argument('at'),
    closed_day: argument('day'),
    closed_month: argument('month'),
    closed_total: argument('total'),
  };
  return builder
    .insertInto('end_users')
    .values({ api_key_id: argument('key'), end_user: argument('user'), limits_json: '{}', ...closed })
    .onConflict((conflict) => conflict.columns(['api_key_id', 'end_user']).doUpdateSet(closed));
});

interface Promised {
  batch_id: string;
  first: number;
  created_at: number;
  end_users_json: string;
}

const selectPromised = prepare<{ key: string }, Promised>('end_user_promised', (builder, argument) =>
  builder
    .selectFrom('batches')
    .innerJoin('batch_portions', 'batch_portions.batch_id', 'batches.id')
    .select(['batch_portions.batch_id', 'first', 'created_at', 'end_users_json'])
    .where('api_key_id', '=', argument('key'))
    .where('status', '=', sql.lit('processing'))
    .where('end_users_json', '<>', '{}')
    .orderBy('batch_id')
    .orderBy('first'),
);

/** Number of orders after which the older ones are summed in a checkpoint. */
export const CHECKPOINT_ORDERS = 1_000;
/** Orders of this age are committed, whichever process placed them. */
const COMMITTED_AFTER_MS = 15 * 60_000;
const CHECKPOINT_EVERY_MS = 5 * 60_000;
const NEVER = Number.MAX_SAFE_INTEGER;

/** Returns the spending in the windows that contain `now`. @param checkpoint null = sums all orders */
export async function readSpending(
  session: Session,
  owner: { readonly keyId: string; readonly endUser: string },
  checkpoint: Checkpoint | null,
  now: number,
): Promise<{ readonly spending: SpendingByWindow; readonly orders: number; readonly openSince: number | null }> {
  // After a clock was set back, the windows of the checkpoint are not those of now.
  const base = checkpoint !== null && checkpoint.at <= now ? checkpoint : null;
  const { promised, sums: row } = await settledSums(session, owner, base?.at ?? 0, now);
  const windows = SPEND_WINDOWS.map((window) => {
    const covered = base !== null && windowStart(window, base.at) === windowStart(window, now);
    const charged = Number(row[`${window}_charged`] ?? 0) + (covered ? base[window] : 0);
    const held = Number(row[`${window}_held`] ?? 0) + sumPromised(promised, windowStart(window, now));
    return [window, { charged, held }] as const;
  });
  return {
    spending: Object.fromEntries(windows) as unknown as SpendingByWindow,
    orders: Number(row.orders),
    openSince: earliest([row.open_since, ...promised.map(({ createdAt }) => createdAt)]),
  };
}

interface PromisedAmount {
  readonly createdAt: number;
  readonly amount: Micros;
}

/** Sums tasks and the orders of batches that are no tasks yet. An order that becomes one meanwhile counts once. */
async function settledSums(
  session: Session,
  owner: { readonly keyId: string; readonly endUser: string },
  from: number,
  now: number,
): Promise<{ readonly promised: readonly PromisedAmount[]; readonly sums: SumRow }> {
  for (let before = await session.all(selectPromised, { key: owner.keyId }); ; ) {
    const sums = await sumBetween(session, owner, from, NEVER, now);
    const after = before.length === 0 ? before : await session.all(selectPromised, { key: owner.keyId });
    // Portions of a batch disappear one by one, and only as their tasks appear.
    if (after.length === before.length) return { promised: amountsOf(before, owner.endUser), sums };
    before = after;
  }
}

function amountsOf(portions: readonly Promised[], endUser: string): PromisedAmount[] {
  return portions.flatMap((portion) => {
    const amount = promisedOf(portion).get(endUser);
    return amount === undefined ? [] : [{ createdAt: portion.created_at, amount }];
  });
}

/** Reads the promised amount of each end user. */
function promisedOf(row: Pick<Promised, 'end_users_json'>): Map<string, Micros> {
  return new Map(Object.entries(JSON.parse(row.end_users_json) as Record<string, Micros>));
}

function sumPromised(promised: readonly PromisedAmount[], from: number): Micros {
  return promised.reduce((sum, { createdAt, amount }) => (createdAt >= from ? sum + amount : sum), 0);
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Moves the checkpoint of an end user with many orders, so that the sum of the others stays short. It stops before the
 * oldest order that is not final.
 * @param trx with the end user's spending locked
 */
export async function moveCheckpoint(
  trx: Transaction,
  owner: { readonly keyId: string; readonly endUser: string },
  checkpoint: Checkpoint | null,
  { orders, openSince }: { readonly orders: number; readonly openSince: number | null },
  now: number,
): Promise<void> {
  const from = checkpoint?.at ?? 0;
  const at = Math.min(now - COMMITTED_AFTER_MS, openSince ?? NEVER);
  if (orders < CHECKPOINT_ORDERS || at - from < CHECKPOINT_EVERY_MS) return;
  const moved = await checkpointAt(trx, owner, checkpoint, at);
  // Last: the unit takes other locks before it writes.
  trx.beforeCommit(`end user checkpoint ${scopeDigest(owner.keyId, owner.endUser)}`, (session) =>
    session.send(saveCheckpoint, { key: owner.keyId, user: owner.endUser, ...moved }),
  );
}

/** Returns the sums before a time, from those of an earlier checkpoint; null = from all orders. */
export async function checkpointAt(
  session: Session,
  owner: { readonly keyId: string; readonly endUser: string },
  earlier: Checkpoint | null,
  at: number,
): Promise<Checkpoint> {
  const row = await sumBetween(session, owner, earlier?.at ?? 0, at, at);
  const sumOf = (window: SpendWindow) => {
    const covered = earlier !== null && windowStart(window, earlier.at) === windowStart(window, at);
    return Number(row[`${window}_charged`] ?? 0) + (covered ? earlier[window] : 0);
  };
  return { at, day: sumOf('day'), month: sumOf('month'), total: sumOf('total') };
}

/** Sums orders placed in `from <= time < to`, by the windows that contain `now`. */
async function sumBetween(
  session: Session,
  { keyId, endUser }: { readonly keyId: string; readonly endUser: string },
  from: number,
  to: number,
  now: number,
): Promise<SumRow> {
  const row = await session.first(sumOrders, {
    key: keyId,
    user: endUser,
    erased: scopeDigest(keyId, endUser),
    from,
    to,
    month: windowStart('month', now),
    day: windowStart('day', now),
  });
  if (row === undefined) throw new Error('a sum without groups has one row');
  return row;
}
