import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import type { ApiKey } from './api-key.ts';
import { countedIn, countIfCounted, countInWindow, storedIn } from './spend-counts.ts';
import { periodOf, SPEND_WINDOWS, type SpendWindow, WINDOW_LABEL, windowEnd } from './spend-windows.ts';

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
  const limits = limitsOf(key);
  if (limits.length === 0) return;
  await lockSpending(trx, key.id);
  const spent = await Promise.all(limits.map(([window]) => countedIn(trx, key.id, periodOf(window, now))));
  for (const [place, [window, limit]] of limits.entries()) {
    const available = limit - (spent[place] ?? 0);
    if (price > available) throw limitReached({ window, limit, available, price, now });
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
  const isLimited = limitsOf(key).length > 0;
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

function limitsOf(key: ApiKey): [SpendWindow, Micros][] {
  const { day, month, total } = key.spendLimits;
  const limits: [SpendWindow, Micros][] = [];
  if (day !== null) limits.push(['day', day]);
  if (month !== null) limits.push(['month', month]);
  if (total !== null) limits.push(['total', total]);
  return limits;
}

function limitReached(found: {
  readonly window: SpendWindow;
  readonly limit: Micros;
  readonly available: Micros;
  readonly price: Micros;
  readonly now: number;
}): ServiceError {
  const { window, limit, available, price, now } = found;
  const resetsAt = isoTime(windowEnd(window, now));
  return new ServiceError(
    'spend_limit_reached',
    `This costs ${formatMicros(price)} USD, but the API key can spend only ${formatMicros(Math.max(0, available))} USD more of its ${formatMicros(limit)} USD ${WINDOW_LABEL[window]}. ${resetsAt === null ? 'Ask' : `Wait until ${resetsAt}, or ask`} the operator for a higher limit.`,
    {
      details: [
        {
          limit: formatMicros(limit),
          window,
          needed: formatMicros(price),
          available: formatMicros(Math.max(0, available)),
          resets_at: resetsAt,
          currency: 'USD',
        },
      ],
    },
  );
}
