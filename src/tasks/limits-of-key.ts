import type { Transaction } from '../database/database.ts';
import { concurrencyOf } from './fair-queue.ts';

/** By key. */
type Known = Map<string, Promise<number>>;

const knownIn = (trx: Transaction): Known => trx.once<Known>('limits_of_keys', () => new Map());

/**
 * Returns the number of slots of a key, 0 = no limit. A transaction reads it once: the settlements of a busy key share
 * it.
 */
export function slotsOf(trx: Transaction, keyId: string): Promise<number> {
  const known = knownIn(trx);
  const reading = known.get(keyId) ?? concurrencyOf(trx, keyId);
  known.set(keyId, reading);
  return reading;
}

/** Makes the following units of the group read the limits of a key again. Call it in a unit that has changed them. */
export function forgetLimits(trx: Transaction, keyId: string): void {
  knownIn(trx).delete(keyId);
}
