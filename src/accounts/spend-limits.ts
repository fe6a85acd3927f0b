import { ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { ApiKey } from './api-key.ts';

/**
 * Limits a key's spending per UTC day, per UTC month and in total. An order counts in the windows of its creation: its
 * price while held, its charge once settled. Only keys with a limit are counted, so that other orders update no shared
 * row.
 */

type Window = 'day' | 'month' | 'total';

const addToWindow = prepare<{ key: string; period: string; amount: number }, unknown>(
  'spend_add',
  (builder, argument) =>
    builder
      .insertInto('spend_windows')
      .values({ api_key_id: argument('key'), period: argument('period'), amount: argument('amount') })
      .onConflict((conflict) =>
        conflict.columns(['api_key_id', 'period']).doUpdateSet((expression) => ({
          amount: expression('spend_windows.amount', '+', expression.ref('excluded.amount')),
        })),
      ),
);

const reduceWindows = prepare<{ key: string; day: string; month: string; amount: number }, unknown>(
  'spend_reduce',
  (builder, argument) =>
    builder
      .updateTable('spend_windows')
      .set((expression) => ({ amount: expression('amount', '-', argument('amount')) }))
      .where('api_key_id', '=', argument('key'))
      .where((expression) =>
        expression.or([
          expression('period', '=', argument('day')),
          expression('period', '=', argument('month')),
          expression('period', '=', 'total'),
        ]),
      ),
);

const selectWindow = prepare<{ key: string; period: string }, { amount: number }>('spend_select', (builder, argument) =>
  builder
    .selectFrom('spend_windows')
    .select('amount')
    .where('api_key_id', '=', argument('key'))
    .where('period', '=', argument('period')),
);

/** Refuses an order that would exceed one of the key's limits. */
export async function assertWithinSpendLimits(
  trx: Transaction,
  key: ApiKey,
  price: Micros,
  now: number,
): Promise<void> {
  const limits = limitsOf(key);
  if (limits.length > 0) await lockSpending(trx, key.id);
  for (const [window, limit] of limits) {
    const available = limit - (await spentIn(trx, key.id, window, now));
    if (price <= available) continue;
    const resetsAt = windowEnd(window, now);
    throw new ServiceError(
      'spend_limit_reached',
      `The order costs ${formatMicros(price)} USD, but the API key can spend only ${formatMicros(Math.max(0, available))} USD more of its ${formatMicros(limit)} USD ${LABEL[window]}. ${resetsAt === null ? 'Ask' : `Wait until ${resetsAt}, or ask`} the operator for a higher limit.`,
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
}

/** Locks a key's spending until the transaction ends. */
export async function lockSpending(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(`spend:${keyId}`);
}

/** Counts a hold in the key's limited windows. */
export function countHold(trx: Transaction, key: ApiKey, price: Micros, now: number): void {
  for (const [window] of limitsOf(key))
    trx.send(addToWindow, { key: key.id, period: periodOf(window, now), amount: price });
}

/**
 * Subtracts the part of a settled task's price that was not charged. Does nothing for keys without a limit, which have
 * no rows.
 */
export function countRelease(trx: Transaction, keyId: string, amount: Micros, orderedAt: number): void {
  if (amount === 0) return;
  trx.send(reduceWindows, {
    key: keyId,
    day: periodOf('day', orderedAt),
    month: periodOf('month', orderedAt),
    amount,
  });
}

/** Returns a limited key's spending, including holds, in the window that contains `now`. */
export async function spentIn(session: Session, keyId: string, window: Window, now: number): Promise<Micros> {
  return (await session.first(selectWindow, { key: keyId, period: periodOf(window, now) }))?.amount ?? 0;
}

const LABEL: Record<Window, string> = { day: 'per day', month: 'per month', total: 'in total' };

function limitsOf(key: ApiKey): [Window, Micros][] {
  const { day, month, total } = key.spendLimits;
  const limits: [Window, Micros][] = [];
  if (day !== null) limits.push(['day', day]);
  if (month !== null) limits.push(['month', month]);
  if (total !== null) limits.push(['total', total]);
  return limits;
}

function periodOf(window: Window, time: number): string {
  const date = new Date(time).toISOString();
  if (window === 'day') return `day:${date.slice(0, 10)}`;
  return window === 'month' ? `month:${date.slice(0, 7)}` : 'total';
}

function windowEnd(window: Window, now: number): string | null {
  const date = new Date(now);
  if (window === 'day')
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)).toISOString();
  return window === 'month' ? new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString() : null;
}
