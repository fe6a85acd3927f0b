import { world } from '@darkroom-service/contract';
import type { Transaction } from '../database/database.ts';
import { DUE_SOON_MS } from '../queue/in-flight.ts';
import { hasPreparing, type Permit } from '../queue/queue-capacity.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import { countForPermit, endPermits, insertPermit, permitsLockOf } from './permit-rows.ts';
import type { QueuePermits } from './queue-permits.ts';

interface Granted {
  readonly permit: Permit | null;
  /** Earlier permits of this process, which it has given back. */
  readonly ended: readonly Permit[];
  /** Number of orders in the permit that are not placed yet. */
  readonly ahead: number;
  /** Whether other processes are asking or claiming now. */
  readonly isBusy: boolean;
}

/** Lifetime of a permit by the database's clock. The slots of a process that dies are free again after this time. */
const LASTS_MS = 5_000;
/** Maximum number of orders of a permit beyond those that are claimed now, so that not every claim has to ask. */
const ORDERS_AHEAD = 256;
/** Divisor of the free slots: one process may reserve this part of them ahead. */
const PART_AHEAD = 8;

/**
 * Gives back the permits of this process for a queue, and inserts a new one, as far as the queue has room and orders.
 * @param limit maximum number of orders to claim now
 */
export async function grantPermit(
  trx: Transaction,
  { name, capacity, atMost, hasTrial }: ClaimableQueue,
  limit: number,
  { permits, isExpecting, ahead: before }: QueuePermits,
): Promise<Granted> {
  const at = world.monotonic();
  if (!(await trx.tryLock(permitsLockOf(name)))) return { permit: null, ended: [], ahead: before, isBusy: true };
  const most = Math.max(limit, ORDERS_AHEAD);
  // With a trial deferred orders have no slot reserved.
  const dueInMs = hasTrial === undefined ? DUE_SOON_MS : -Number.MAX_SAFE_INTEGER;
  const [ended, counted, preparing] = await Promise.all([
    endPermits(trx, name, permits),
    trx.first(countForPermit(trx), { queue: name, capacity, most, dueInMs }),
    hasTrial === undefined ? undefined : trx.first(hasPreparing, { queue: name }),
  ]);
  const { reserved = 0, waiting: count = 0, taken = 0 } = counted ?? {};
  let free = capacity - taken - reserved;
  // An order that is being prepared may become the test order. One that left this step has taken the trial before.
  if (free <= 0 && hasTrial?.() === true && preparing === undefined && reserved === 0) free = 1;
  const isWhole = atMost === undefined && hasTrial === undefined;
  const partOf = (slots: number) => (isWhole ? Math.max(0, Math.min(Math.floor(slots / PART_AHEAD), ORDERS_AHEAD)) : 0);
  let orders = Math.max(0, Math.min(limit, atMost ?? limit, free, count));
  if (limit > 0) orders = Math.max(orders, Math.min(count, partOf(free)));
  const ahead = isExpecting ? partOf(free - orders) : 0;
  const isBusy = orders === 0 && count > 0 && reserved > 0;
  orders += ahead;
  if (orders === 0) return { permit: null, ended, ahead, isBusy };
  const permit = { queue: name, holder: world.randomUUID(), capacity, at, left: orders };
  trx.send(insertPermit(trx), { queue: name, holder: permit.holder, orders, lastsMs: LASTS_MS });
  return { permit, ended, ahead, isBusy };
}
