import { world } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { prepare } from '../database/prepared.ts';
import { DUE_SOON_MS } from '../tasks/in-flight.ts';
import { countWaitingIn, hasPreparing, takenSlots } from '../tasks/queue-capacity.ts';
import type { ClaimableQueue } from './claimable-queue.ts';

/**
 * How the processes of one PostgreSQL database share the slots of a queue without waiting for each other. A process
 * asks for a permit, a row that counts as taken slots, in a short transaction of its own. A lock lets one process at a
 * time ask for the permits of a queue. Whoever does not get it looks again soon. The claim itself takes no lock: it
 * fills the slots of its permit and reduces the permit in the same commit. Permits and orders in flight together never
 * exceed the capacity.
 */
interface Permits {
  /** Makes sure that there are permits for the queues, as far as they have room and orders. */
  ask(queues: readonly ClaimableQueue[], limit: number): Promise<{ readonly isBusy: boolean }>;
  /** Returns for how many orders there is a permit, and locks it until the commit. 0 = there is none. */
  lock(trx: Transaction, queue: ClaimableQueue): Promise<number>;
  /** Reduces a permit that `lock` has locked. @param left what is left of it; 0 removes it */
  reduce(trx: Transaction, queue: string, left: number): void;
  /** The orders that may still be claimed by a permit, as of the last commit. */
  leftOf(queue: string): number;
  /** Notes a use of a permit. Call it once the claim is committed. */
  used(queue: string, left: number): void;
  /** Forgets the permits. Call it when it is unknown what was committed. */
  forget(): void;
}

/** By the database's clock. What a process leaves when it dies is free again after this time. */
const LASTS_MS = 5_000;
/** By the clock of this process. Older permits may be about to be removed. */
const USED_WITHIN_MS = 3_000;
/** What a permit may be for beyond the orders that are claimed now, so that not every claim has to ask. */
const ORDERS_AHEAD = 256;
/** The part of the free slots that one process may reserve ahead. */
const PART_AHEAD = 8;

interface OfHolder {
  readonly queue: string;
  readonly holder: string;
}

const removeExpired = prepare<{ queue: string; now: number }, unknown>('permits_remove', (builder, argument) =>
  builder
    .with(
      (name) => name('expired').materialized(),
      (select) =>
        select
          .selectFrom('claim_permits')
          .select('holder')
          .where('queue', '=', argument('queue'))
          .where('until', '<', argument('now'))
          // Its holder is just claiming.
          .forUpdate()
          .skipLocked(),
    )
    .deleteFrom('claim_permits')
    .where('queue', '=', argument('queue'))
    .where('holder', 'in', (expired) => expired.selectFrom('expired').select('holder')),
);

const sumOthers = prepare<OfHolder, { orders: number }>('permits_sum', (builder, argument) =>
  builder
    .selectFrom('claim_permits')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('orders'), sql.lit(0)).as('orders'))
    .where('queue', '=', argument('queue'))
    .where('holder', '!=', argument('holder')),
);

const insertPermit = prepare<OfHolder & { orders: number; until: number }, unknown>(
  'permits_insert',
  (builder, argument) =>
    builder
      .insertInto('claim_permits')
      .values({
        queue: argument('queue'),
        holder: argument('holder'),
        orders: argument('orders'),
        until: argument('until'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['queue', 'holder'])
          .doUpdateSet(({ ref }) => ({ orders: ref('excluded.orders'), until: ref('excluded.until') })),
      ),
);

const lockPermit = prepare<OfHolder, { orders: number }>('permits_lock', (builder, argument) =>
  builder
    .selectFrom('claim_permits')
    .select('orders')
    .where('queue', '=', argument('queue'))
    .where('holder', '=', argument('holder'))
    .forUpdate(),
);

const setLeft = prepare<OfHolder & { left: number }, unknown>('permits_left', (builder, argument) =>
  builder
    .updateTable('claim_permits')
    .set({ orders: argument('left') })
    .where('queue', '=', argument('queue'))
    .where('holder', '=', argument('holder')),
);

const removePermit = prepare<OfHolder, unknown>('permits_end', (builder, argument) =>
  builder.deleteFrom('claim_permits').where('queue', '=', argument('queue')).where('holder', '=', argument('holder')),
);

/** Locks the permits of a queue: while a transaction holds this, nobody else gets a permit. */
export function permitsLockOf(queue: string): string {
  return `queue:${queue}`;
}

/**
 * Counts the slots that processes are about to fill. Count them before the orders in flight: in between a claim may
 * turn one into the other. Call it with the permits locked.
 */
export async function permittedOrders(trx: Transaction, queue: string, except = ''): Promise<number> {
  await trx.run(removeExpired, { queue, now: await databaseNow(trx) });
  return Number((await trx.first(sumOthers, { queue, holder: except }))?.orders ?? 0);
}

/** Creates the permits of claims, which all processes share. @param database a PostgreSQL database */
export function createPermits(database: Pick<Database, 'writeAside'>): Permits {
  let holder = world.randomUUID();
  const permits = new Map<string, { left: number; readonly capacity: number; readonly at: number }>();

  return {
    async ask(queues, limit) {
      const wanted = queues.filter((queue) => !hasPermit(queue, limit));
      // In the same order in every process.
      wanted.sort((one, other) => (one.name < other.name ? -1 : 1));
      if (wanted.length === 0) return { isBusy: false };
      const at = world.monotonic();
      const granted = await database.writeAside('claim_permits', async (trx) => {
        const given = new Map<ClaimableQueue, number | 'busy'>();
        for (const queue of wanted) given.set(queue, await grant(trx, queue, Math.min(limit, queue.atMost ?? limit)));
        return given;
      });
      for (const [{ name, capacity }, orders] of granted) {
        if (typeof orders === 'number' && orders > 0) permits.set(name, { left: orders, capacity, at });
        else permits.delete(name);
      }
      return { isBusy: [...granted.values()].includes('busy') };
    },
    async lock(trx, queue) {
      const permit = permits.get(queue.name);
      if (permit === undefined) return 0;
      const stored = (await trx.first(lockPermit, { queue: queue.name, holder }))?.orders ?? 0;
      return Math.min(permit.left, stored);
    },
    reduce(trx, queue, left) {
      if (left > 0) trx.send(setLeft, { queue, holder, left });
      else trx.send(removePermit, { queue, holder });
    },
    leftOf: (queue) => permits.get(queue)?.left ?? 0,
    used(queue, left) {
      const permit = permits.get(queue);
      if (permit === undefined) return;
      if (left > 0) permit.left = left;
      else permits.delete(queue);
    },
    forget() {
      permits.clear();
      // The old permits count until they expire: a claim of them may still be committed.
      holder = world.randomUUID();
    },
  };

  function hasPermit({ name, capacity, atMost, hasTrial }: ClaimableQueue, limit: number): boolean {
    const permit = permits.get(name);
    if (permit === undefined || hasTrial !== undefined || permit.capacity > capacity) return false;
    return permit.left >= Math.min(limit, atMost ?? limit) && world.monotonic() - permit.at < USED_WITHIN_MS;
  }

  /** @returns the orders that this process may claim; 'busy' = others just ask or claim */
  async function grant(trx: Transaction, queue: ClaimableQueue, limit: number): Promise<number | 'busy'> {
    const { name, atMost, hasTrial } = queue;
    if (!(await trx.tryLock(permitsLockOf(name)))) return 'busy';
    const { capacity } = queue;
    const now = await databaseNow(trx);
    const [, others, waiting, preparing, taken] = await Promise.all([
      trx.run(removeExpired, { queue: name, now }),
      trx.first(sumOthers, { queue: name, holder }),
      trx.first(countWaitingIn, { queue: name, most: Math.max(limit, ORDERS_AHEAD) }),
      hasTrial === undefined ? undefined : trx.first(hasPreparing, { queue: name }),
      takenSlots(trx, { queue: name, capacity, due: hasTrial === undefined ? now + DUE_SOON_MS : 0 }),
    ]);
    const reserved = Number(others?.orders ?? 0);
    let free = capacity - taken - reserved;
    // One that is prepared may become the test order. One that left this step has taken the trial before.
    if (free <= 0 && hasTrial?.() === true && preparing === undefined && reserved === 0) free = 1;
    const count = waiting?.count ?? 0;
    let orders = Math.max(0, Math.min(limit, free, count));
    if (atMost === undefined && hasTrial === undefined)
      orders = Math.max(orders, Math.min(count, Math.floor(free / PART_AHEAD), ORDERS_AHEAD));
    if (orders > 0) trx.send(insertPermit, { queue: name, holder, orders, until: now + LASTS_MS });
    return orders === 0 && count > 0 && reserved > 0 ? 'busy' : orders;
  }
}
