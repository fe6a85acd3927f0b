import { type Clock, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isPartOfKey } from '../accounts/scope.ts';
import type { Transaction } from '../database/database.ts';
import { waitingOf } from './fair-queue.ts';

const READ_EVERY_MS = 1000;
const READ_EVERY_MS_IF_FULL = 100;
const MOST_KEYS = 10_000;

interface WaitingCount {
  readonly readAt: number;
  /** Running read, shared by all orders that arrive meanwhile. */
  readonly read: Promise<void>;
  count: number;
}

/**
 * Number of waiting tasks of each API key, counted in this process and read again each second, so that an order does
 * not read its key's whole queue. Tasks that have started since are still in the count, so it is read again before an
 * order is refused for it.
 */
export class WaitingCounts {
  readonly #clock: Clock;
  readonly #counts = new Map<string, WaitingCount>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds new orders to the count of their key. @throws ServiceError `queue_full` */
  async assertRoom(
    trx: Transaction,
    key: Pick<OrderingKey, 'client' | 'id' | 'queueLimit'>,
    orders: number,
  ): Promise<void> {
    if (key.queueLimit === 0) return;
    const known = this.#recentCount(trx, key, orders);
    await known.read;
    if (known.count + orders > key.queueLimit) {
      // A client token is not told which orders of others wait.
      const full = isPartOfKey(key)
        ? 'As many tasks of this app wait as may.'
        : `${known.count} tasks of this API key are waiting; the limit is ${key.queueLimit}.`;
      throw new ServiceError('queue_full', `${full} Retry when some have started.`, { retryAfterSeconds: 5 });
    }
    known.count += orders;
  }

  #recentCount(trx: Transaction, key: Pick<OrderingKey, 'id' | 'queueLimit'>, orders: number): WaitingCount {
    const now = this.#clock.now();
    const known = this.#counts.get(key.id);
    const isFull = known !== undefined && known.count + orders > key.queueLimit;
    // If the clock is set back, the count is treated as old, not young.
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - known.readAt);
    if (known !== undefined && ageMs < (isFull ? READ_EVERY_MS_IF_FULL : READ_EVERY_MS)) return known;
    const fresh: WaitingCount = {
      readAt: now,
      count: 0,
      read: waitingOf(trx, key.id).then((waiting) => {
        fresh.count += waiting;
      }),
    };
    if (this.#counts.size > MOST_KEYS) this.#counts.clear();
    this.#counts.set(key.id, fresh);
    fresh.read.catch(() => this.#counts.delete(key.id));
    return fresh;
  }
}
