import type { Argument } from '@darkroom-service/store';
import { type Compilable, sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { countOf, prepare, prepareWithClock } from '../database/prepared.ts';
import { claimableIn, heldPermit, type Permit, takenIn } from '../queue/queue-capacity.ts';

interface OfHolder {
  readonly queue: string;
  readonly holder: string;
}

/** Removes the permits that have expired, and those of some holders, unless transactions are using them now. */
const removeOld = prepareWithClock<{ queue: string; own: string }, Pick<OfHolder, 'holder'>>(
  'permits_remove',
  (builder, now, argument) =>
    builder
      .with(
        (name) => name('old').materialized(),
        (select) =>
          select
            .selectFrom('claim_permits')
            .select('holder')
            .where('queue', '=', argument('queue'))
            .where((expression) =>
              expression.or([
                expression('until', '<', now),
                expression(argument('own'), 'like', sql<string>`'%' || holder || '%'`),
              ]),
            )
            .forUpdate()
            .skipLocked(),
      )
      .deleteFrom('claim_permits')
      .where('queue', '=', argument('queue'))
      .where('holder', 'in', (old) => old.selectFrom('old').select('holder'))
      .returning('holder'),
);

const permitsOf = (builder: Session['builder'], argument: Argument<Pick<OfHolder, 'queue'>>) =>
  builder
    .selectFrom('claim_permits')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('orders'), sql.lit(0)).as('orders'))
    .where('queue', '=', argument('queue'));

const sumPermits = prepare<Pick<OfHolder, 'queue'>, { orders: number }>('permits_sum', permitsOf);

interface CountArguments {
  queue: string;
  capacity: number;
  /** Maximum number of waiting orders to count. */
  most: number;
  /** Time until deferred orders are due that have a slot reserved. */
  dueInMs: number;
}

interface Counted {
  readonly reserved: number;
  readonly waiting: number;
  readonly taken: number;
}

/** Counts by one statement, since a commit turns a permit into orders in flight. */
export const countForPermit = prepareWithClock<CountArguments, Counted>('permits_count', (builder, now, argument) => {
  const [queue, capacity] = [argument('queue'), argument('capacity')];
  const due = sql<number>`${now} + cast(${argument('dueInMs')} as bigint)`;
  const waiting = claimableIn(builder, queue).limit(sql<number>`${argument('most')}`);
  return builder.selectNoFrom([
    permitsOf(builder, argument).$asScalar().as('reserved'),
    countOf(waiting).as('waiting'),
    takenIn(builder, { queue, capacity, due }).as('taken'),
  ]) as Compilable<Counted>;
});

export const insertPermit = prepareWithClock<OfHolder & { orders: number; lastsMs: number }, unknown>(
  'permits_insert',
  (builder, now, argument) =>
    builder.insertInto('claim_permits').values({
      queue: argument('queue'),
      holder: argument('holder'),
      orders: argument('orders'),
      until: sql<number>`${now} + cast(${argument('lastsMs')} as bigint)`,
    }),
);

export const lockPermit = prepare<OfHolder, { orders: number }>('permits_lock', heldPermit);

export const reducePermit = prepare<OfHolder & { by: number }, unknown>('permits_use', (builder, argument) =>
  builder
    .updateTable('claim_permits')
    .set({ orders: sql<number>`orders - ${argument('by')}` })
    .where('queue', '=', argument('queue'))
    .where('holder', '=', argument('holder')),
);

export const removePermit = prepare<OfHolder, unknown>('permits_end', (builder, argument) =>
  builder.deleteFrom('claim_permits').where('queue', '=', argument('queue')).where('holder', '=', argument('holder')),
);

/** Returns the name of the lock of a queue's permits: while a transaction holds it, no other process gets a permit. */
export function permitsLockOf(queue: string): string {
  return `queue:${queue}`;
}

/**
 * Removes expired permits of a queue. Call it with the permits locked.
 * @param own permits that end now, unless a transaction is just using them
 * @returns those that have ended of them
 */
export async function endPermits(trx: Transaction, queue: string, own: readonly Permit[]): Promise<readonly Permit[]> {
  const holders = own.map(({ holder }) => holder);
  const removed = await trx.all(removeOld(trx), { queue, own: holders.join() });
  const ended = new Set(removed.map(({ holder }) => holder));
  return own.filter(({ holder }) => ended.has(holder));
}

/**
 * Counts the slots that processes are about to fill. Count them before the orders in flight: in between a commit may
 * turn one into the other. Call it with the permits locked.
 */
export async function permittedOrders(trx: Transaction, queue: string): Promise<number> {
  const [, sum] = await Promise.all([endPermits(trx, queue, []), trx.first(sumPermits, { queue })]);
  return Number(sum?.orders ?? 0);
}
