import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { heldPermit, type Permit } from '../tasks/queue-capacity.ts';

interface OfHolder {
  readonly queue: string;
  readonly holder: string;
}

/** Removes the permits that have expired, and those of some holders, unless transactions are using them now. */
const removeOld = prepare<{ queue: string; now: number; own: string }, Pick<OfHolder, 'holder'>>(
  'permits_remove',
  (builder, argument) =>
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
                expression('until', '<', argument('now')),
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

const sumPermits = prepare<{ queue: string }, { orders: number }>('permits_sum', (builder, argument) =>
  builder
    .selectFrom('claim_permits')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('orders'), sql.lit(0)).as('orders'))
    .where('queue', '=', argument('queue')),
);

export const insertPermit = prepare<OfHolder & { orders: number; until: number }, unknown>(
  'permits_insert',
  (builder, argument) =>
    builder.insertInto('claim_permits').values({
      queue: argument('queue'),
      holder: argument('holder'),
      orders: argument('orders'),
      until: argument('until'),
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
 * Counts the slots that processes are about to fill. Count them before the orders in flight: in between a commit may
 * turn one into the other. Call it with the permits locked.
 * @param own permits that end now, unless a transaction is just using them
 */
export async function permittedOrders(
  trx: Transaction,
  queue: string,
  { now, own = [] }: { readonly now: number; readonly own?: readonly Permit[] },
): Promise<{ readonly reserved: number; readonly ended: readonly Permit[] }> {
  const [removed, sum] = await Promise.all([
    trx.all(removeOld, { queue, now, own: own.map(({ holder }) => holder).join() }),
    trx.first(sumPermits, { queue }),
  ]);
  const holders = new Set(removed.map(({ holder }) => holder));
  return { reserved: Number(sum?.orders ?? 0), ended: own.filter(({ holder }) => holders.has(holder)) };
}
