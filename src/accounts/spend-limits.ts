import { formatMicros, type Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import type { ApiKey } from './api-key.ts';
import { countedIn, countIfCounted, countInWindow, storedIn } from './spend-counts.ts';
import { periodOf, SPEND_WINDOWS, type SpendWindow } from './spend-windows.ts';
import { assertLeft, limitedWindows } from './window-limits.ts';

/**
 * Limits a key's spending per UTC day, per UTC month and in total. An order counts in the windows of its creation: its
 * price while held, its charge once settled. Only windows that have or had a limit are counted, so that other orders
 * update no shared row.
 */

/** Refuses an order that would exceed one of the key's limits. */
export async function assertWithinSpendLimits(
  trx: Transaction,
  key: ApiKey,
  price: Micros,
  now: number,
): Promise<void> {
  const limits = limitedWindows(key.spendLimits);
  if (limits.length === 0) return;
  await lockSpending(trx, key.id);
  const spent = await Promise.all(limits.map(([window]) => countedIn(trx, key.id, periodOf(window, now))));
  for (const [place, [window, limit]] of limits.entries()) {
    assertLeft({ window, limit, spent: spent[place] ?? 0 }, price, now, () => ({
      code: 'spend_limit_reached',
      subject: `This costs ${formatMicros(price)} USD, but the API key`,
      remedy: 'ask the operator for a higher limit.',
    }));
  }
}

/** Locks a key's spending until the transaction ends. */
export async function lockSpending(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(`spend:${keyId}`);
}

/**
 * Counts a hold in the key's limited windows, and in those that have a row: another process may have limited them a
 * moment ago (start-counting.ts).
 */
export function countHold(trx: Transaction, key: ApiKey, price: Micros, now: number): void {
  const isLimited = limitedWindows(key.spendLimits).length > 0;
  if (!isLimited) countIfCounted(trx, key.id, now, price);
  else
    for (const window of SPEND_WINDOWS)
      countInWindow(trx, key.id, periodOf(window, now), {
        amount: price,
        makesRow: key.spendLimits[window] !== null,
      });
}

/**
 * Subtracts the part of a settled task's price that was not charged. Does nothing for keys without a limit, which have
 * no rows.
 */
export function countRelease(
  trx: Transaction,
  key: { readonly id: string; readonly isLimited: boolean },
  amount: Micros,
  orderedAt: number,
): void {
  if (amount === 0) return;
  if (!key.isLimited) countIfCounted(trx, key.id, orderedAt, -amount);
  else
    for (const window of SPEND_WINDOWS)
      countInWindow(trx, key.id, periodOf(window, orderedAt), { amount: -amount, makesRow: false });
}

/** Returns a limited key's spending, including holds, in the window that contains `now`. */
export async function spentIn(session: Session, keyId: string, window: SpendWindow, now: number): Promise<Micros> {
  return await storedIn(session, keyId, periodOf(window, now));
}
