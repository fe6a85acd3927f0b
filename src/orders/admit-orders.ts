import { type ErrorCode, formatMicros, type Micros, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import { hold } from '../accounts/ledger.ts';
import { recountInZone } from '../accounts/recount-in-zone.ts';
import { isPartOfKey } from '../accounts/scope.ts';
import { assertWithinSpendLimits, countHold } from '../accounts/spend-limits.ts';
import { DayIsOver, ZoneIsNotCounted } from '../accounts/spending.ts';
import type { Transaction } from '../database/database.ts';
import type { TaskRow } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** Refuses an order or a batch that costs more than its caller agreed to. @throws ServiceError `price_exceeded` */
export function assertMaxPrice(price: Micros, maxPrice: Micros | null): void {
  if (maxPrice === null || price <= maxPrice) return;
  throw new ServiceError(
    'price_exceeded',
    `This costs ${formatMicros(price)} USD, more than max_price (${formatMicros(maxPrice)}). Nothing was charged. Raise max_price or order less.`,
    {
      param: 'max_price',
      details: [{ price: formatMicros(price), max_price: formatMicros(maxPrice), currency: 'USD' }],
    },
  );
}

/**
 * Admits orders of one key that are about to be placed in this unit: by the limits of the key, by additions, and by the
 * balance of the account. Locks the counted amounts, and writes nothing.
 * @param total the sum of their prices
 * @param spending sums the prices of the orders of each end user; empty = they name none
 * @throws ServiceError `insufficient_balance`, `spend_limit_reached`, `end_user_limit_reached`; DayIsOver and
 * ZoneIsNotCounted, which `retryOnNextDay` handles
 */
export async function admitOrders(
  { balances, hooks }: Pick<TaskServices, 'balances' | 'hooks'>,
  trx: Transaction,
  key: OrderingKey,
  {
    total,
    spending,
    now,
  }: {
    readonly total: Micros;
    readonly spending: () => ReadonlyMap<string, Micros>;
    readonly now: number;
  },
): Promise<void> {
  try {
    await assertWithinSpendLimits(trx, key, total, now);
    for (const { admit } of hooks) {
      const admission = admit?.(trx, key, spending, now, hooks) ?? null;
      if (admission !== null) await admission;
    }
    await balances.assertCanPay(trx, key.account, key.mode, total);
  } catch (error) {
    throw isPartOfKey(key) ? withoutAmounts(error, total) : error;
  }
}

/**
 * Places orders, dated `now` unless a later day is counted already: then as of that day.
 * @param place places them with a date; called again, with a later one, if their day is over, and if the time zone of a
 * limit was not counted
 */
export async function retryOnNextDay<Placed>(
  services: Pick<TaskServices, 'clock' | 'database' | 'hooks'>,
  key: OrderingKey,
  now: number,
  place: (datedAt: number, key: OrderingKey) => Promise<Placed>,
): Promise<Placed> {
  try {
    return await place(now, key);
  } catch (error) {
    if (error instanceof ZoneIsNotCounted) {
      // Otherwise processes that remember different time zones of the key would recount in turns.
      const { timezone } = (await findKeyById(services.database.read, key.id)) ?? key;
      const scope = error.subject === key.id ? null : error.subject;
      if (timezone === key.timezone) await recountInZone(services, { keyId: key.id, scope }, error.zone, now);
      return await retryOnNextDay(services, { ...key, timezone }, now, place);
    }
    if (!(error instanceof DayIsOver)) throw error;
    return await retryOnNextDay(services, key, Math.max(services.clock.now(), error.nextDayAt), place);
  }
}

const OF_THE_KEY: ReadonlySet<ErrorCode> = new Set(['insufficient_balance', 'spend_limit_reached']);

/** Removes amounts from an error: the remaining balance of the key and its account depends on its other end users. */
function withoutAmounts(error: unknown, total: Micros): unknown {
  if (!(error instanceof ServiceError) || !OF_THE_KEY.has(error.code)) return error;
  const message = `This costs ${formatMicros(total)} USD, which this app cannot spend now. Tell its provider.`;
  return new ServiceError(error.code, message, { cause: error });
}

/** Holds the price of an order or of a group, and counts it if spending is limited. */
export function holdPrice(
  trx: Transaction,
  key: OrderingKey,
  order: Pick<TaskRow, 'id' | 'price' | 'scope' | 'created_at'>,
): void {
  hold(trx, { accountId: key.account.id, apiKeyId: key.id, mode: key.mode, taskId: order.id }, order.price);
  countHold(trx, key, order);
}
