import {
  formatMicros,
  isoTime,
  type Micros,
  ServiceError,
  SPEND_WINDOWS,
  type SpendLimits,
  type SpendWindow,
  WINDOW_LABEL,
  windowEnd,
} from '@darkroom-service/contract';
import type { Session, Transaction } from '../database/database.ts';
import type { ApiKey } from './api-key.ts';
import type { GroupHooks } from './open-groups.ts';
import { spentNow } from './recount-in-zone.ts';
import { addSpending, readSpending, spentAt, spentWithin } from './spending.ts';

/**
 * Limits a key's spending per day and month of its time zone and in total. Only keys that have or had a limit are
 * counted, so that other orders update no shared row. The spending of a key's end users is always counted.
 */

interface Counted {
  readonly scope: string | null;
  readonly created_at: number;
}

interface Held extends Counted {
  readonly price: Micros;
}

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
  const spent = await spentWithin(trx, key.id, now, key.timezone);
  for (const [window, limit] of limits) {
    assertLeft({ window, limit, spent: spent[window], zone: key.timezone }, price, now, () => ({
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
 * Counts the hold of an order or a batch for its end user, and for its key if the key has a limit or a row: another
 * process may have limited it a moment ago (start-counting.ts).
 */
export function countHold(trx: Transaction, key: ApiKey, held: Held): void {
  addSpending(trx, key.id, held.price, held.created_at, limitedWindows(key.spendLimits).length > 0);
  if (held.scope !== null) countScope(trx, held);
}

/** Counts an order of a batch for its end user. For the key, the whole batch is counted. */
export function countScope(trx: Transaction, { scope, price, created_at: orderedAt }: Held): void {
  if (scope !== null) addSpending(trx, scope, price, orderedAt, true);
}

/** Subtracts the part of an order's price that is not charged, if the order was counted. */
export function countRelease(trx: Transaction, order: Counted & { readonly api_key_id: string }, amount: Micros): void {
  if (amount === 0) return;
  addSpending(trx, order.api_key_id, -amount, order.created_at, false);
  if (order.scope !== null) addSpending(trx, order.scope, -amount, order.created_at, false);
}

/** Returns the spending of a counted subject, holds included, in the UTC window that contains `now`. */
export async function spentIn(session: Session, subject: string, window: SpendWindow, now: number): Promise<Micros> {
  return spentAt(await readSpending(session, subject), now)[window];
}

/** Returns the spending of a limited key, holds included, in the window of its time zone that contains `now`. */
export async function spentByKey(
  session: Session,
  hooks: readonly GroupHooks[],
  key: Pick<ApiKey, 'id' | 'timezone'>,
  window: SpendWindow,
  now: number,
): Promise<Micros> {
  const row = await readSpending(session, key.id);
  const subject = { keyId: key.id, scope: null };
  return (await spentNow(session, hooks, subject, { row, zone: key.timezone, now }))[window];
}

/** Parts of the error for a subject that has reached the limit of a window. */
interface Refusal {
  readonly code: 'spend_limit_reached' | 'end_user_limit_reached';
  /** The message up to the amount that is left. */
  readonly subject: string;
  /** The remedy besides waiting, as the second half of a sentence. */
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

/** Refuses a price above the rest of a window. @throws ServiceError with the code of the refusal */
export function assertLeft(
  {
    window,
    limit,
    spent,
    zone,
  }: {
    readonly window: SpendWindow;
    readonly limit: Micros;
    readonly spent: Micros;
    /** The time zone of the window. */
    readonly zone: string;
  },
  price: Micros,
  now: number,
  refusal: () => Refusal,
): void {
  const left = limit - spent;
  if (price <= left) return;
  const { code, subject, remedy, endUser } = refusal();
  const available = formatMicros(Math.max(0, left));
  const resetsAt = isoTime(windowEnd(window, now, zone));
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
