import { formatMicros, isoTime, type Micros, ServiceError } from '@darkroom-service/contract';
import type { Session, Transaction } from '../database/database.ts';
import type { ApiKey } from './api-key.ts';
import { addLater, addLaterIfCounted, type Meter, usedIn, usedOf } from './meters.ts';
import {
  periodOf,
  SPEND_WINDOWS,
  type SpendLimits,
  type SpendWindow,
  WINDOW_LABEL,
  windowEnd,
} from './spend-windows.ts';

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
  const spent = await Promise.all(limits.map(([window]) => usedIn(trx, spendIn(key.id, window, now))));
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
  count(trx, { id: key.id, isLimited }, price, now, (window) => key.spendLimits[window] !== null);
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
  if (amount !== 0) count(trx, key, -amount, orderedAt, () => false);
}

function count(
  trx: Transaction,
  key: { readonly id: string; readonly isLimited: boolean },
  amount: Micros,
  time: number,
  makesRow: (window: SpendWindow) => boolean,
): void {
  if (key.isLimited)
    for (const window of SPEND_WINDOWS) addLater(trx, spendIn(key.id, window, time), amount, makesRow(window));
  else
    addLaterIfCounted(trx, {
      subject: key.id,
      kind: 'spend',
      periods: [periodOf('day', time), periodOf('month', time), periodOf('total', time)],
      amount,
    });
}

/** Returns a limited key's spending, including holds, in the window that contains `now`. */
export async function spentIn(session: Session, keyId: string, window: SpendWindow, now: number): Promise<Micros> {
  return await usedOf(session, spendIn(keyId, window, now));
}

function spendIn(keyId: string, window: SpendWindow, time: number): Meter {
  return { subject: keyId, kind: 'spend', period: periodOf(window, time) };
}

/** What a refusal says of whoever has reached the limit of a window. */
interface Refusal {
  readonly code: 'spend_limit_reached' | 'end_user_limit_reached';
  /** The message up to the amount that is left. */
  readonly subject: string;
  /** What to do besides waiting, as the second half of a sentence. */
  readonly remedy: string;
  readonly endUser?: string;
}

/** Returns the windows that have a limit. */
export function limitedWindows(limits: SpendLimits): [SpendWindow, Micros][] {
  return SPEND_WINDOWS.flatMap((window): [SpendWindow, Micros][] => {
    const limit = limits[window];
    return limit === null ? [] : [[window, limit]];
  });
}

/** Refuses a price that exceeds what is left of a window. @throws ServiceError with the code of the refusal */
export function assertLeft(
  { window, limit, spent }: { readonly window: SpendWindow; readonly limit: Micros; readonly spent: Micros },
  price: Micros,
  now: number,
  refusal: () => Refusal,
): void {
  const left = limit - spent;
  if (price <= left) return;
  const { code, subject, remedy, endUser } = refusal();
  const available = formatMicros(Math.max(0, left));
  const resetsAt = isoTime(windowEnd(window, now));
  const advice =
    resetsAt === null ? `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}` : `Wait until ${resetsAt}, or ${remedy}`;
  throw new ServiceError(
    code,
    `${subject} can spend only ${available} USD more of its ${formatMicros(limit)} USD ${WINDOW_LABEL[window]}. ${advice}`,
    {
      ...(endUser !== undefined && { param: 'end_user' }),
      details: [
        {
          ...(endUser !== undefined && { end_user: endUser }),
          limit: formatMicros(limit),
          window,
          needed: formatMicros(price),
          available,
          resets_at: resetsAt,
          currency: 'USD',
        },
      ],
    },
  );
}
