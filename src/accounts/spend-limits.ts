import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { ApiKey } from './api-key.ts';
import { periodOf, SPEND_WINDOWS, type SpendWindow, WINDOW_LABEL, windowEnd } from './spend-windows.ts';

/**
 * Limits a key's spending per UTC day, per UTC month and in total. An order counts in the windows of its creation: its
 * price while held, its charge once settled. Only windows that have or had a limit are counted, so that other orders
 * update no shared row.
 */

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

/** Adds to the windows that are counted already, whatever limits this process knows of the key. */
const addToCounted = prepare<{ key: string; day: string; month: string; total: string; amount: number }, unknown>(
  'spend_add_counted',
  (builder, argument) =>
    builder
      .updateTable('spend_windows')
      .set((expression) => ({ amount: expression('amount', '+', argument('amount')) }))
      .where('api_key_id', '=', argument('key'))
      .where((expression) =>
        expression.or([
          expression('period', '=', argument('day')),
          expression('period', '=', argument('month')),
          expression('period', '=', argument('total')),
        ]),
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
    const resetsAt = isoTime(windowEnd(window, now));
    throw new ServiceError(
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
  const limited = limitsOf(key).map(([window]) => window);
  for (const window of limited) trx.send(addToWindow, { key: key.id, period: periodOf(window, now), amount: price });
  const others = (window: SpendWindow) => (limited.includes(window) ? '' : periodOf(window, now));
  if (limited.length < SPEND_WINDOWS.length)
    trx.send(addToCounted, {
      key: key.id,
      day: others('day'),
      month: others('month'),
      total: others('total'),
      amount: price,
    });
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
export async function spentIn(session: Session, keyId: string, window: SpendWindow, now: number): Promise<Micros> {
  return (await session.first(selectWindow, { key: keyId, period: periodOf(window, now) }))?.amount ?? 0;
}

function limitsOf(key: ApiKey): [SpendWindow, Micros][] {
  const { day, month, total } = key.spendLimits;
  const limits: [SpendWindow, Micros][] = [];
  if (day !== null) limits.push(['day', day]);
  if (month !== null) limits.push(['month', month]);
  if (total !== null) limits.push(['total', total]);
  return limits;
}
