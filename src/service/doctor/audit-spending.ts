import { formatMicros, SPEND_WINDOWS, type SpendWindow, windowStart } from '@darkroom-service/contract';
import { SPENDING_COLUMNS } from '../../accounts/add-spending.ts';
import { DAY_MS, withClosedDays } from '../../accounts/closed-days.ts';
import type { GroupHooks } from '../../accounts/open-groups.ts';
import { spentAt } from '../../accounts/spending.ts';
import { chargedBefore, spentBetween, unplacedAmounts } from '../../accounts/start-counting.ts';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../check.ts';

const SLICE = 500;

/**
 * Checks whether the spending that each limited key has in its current windows equals its orders: their price while
 * they are open, and their charge afterwards.
 */
export async function auditSpending(session: Session, hooks: readonly GroupHooks[], now: number): Promise<AuditReport> {
  const faults: string[] = [];
  const date = new Date(now).toISOString();
  const names = { day: `day:${date.slice(0, 10)}`, month: `month:${date.slice(0, 7)}`, total: 'total' };
  let looked = 0;
  for (let after = ''; ; ) {
    const rows = await session.all(
      session.builder
        .selectFrom('spending')
        .innerJoin('api_keys', 'api_keys.id', 'subject')
        // A window whose limit was removed may have missed orders: it is summed again before it is limited again.
        .select(['subject', 'spend_day', 'spend_month', 'spend_total'])
        .where('subject', '>', after)
        .orderBy('subject')
        .limit(SLICE),
    );
    for (const { subject: key, ...limits } of rows)
      for (const window of SPEND_WINDOWS) {
        if (limits[`spend_${window}`] === null) continue;
        looked++;
        const found = await spendingOf(session, hooks, { key, window, now });
        if (found === undefined || found.counted === found.summed) continue;
        faults.push(
          `key ${key}, ${names[window]}: ${formatMicros(found.counted)} USD are counted, its orders add up to ${formatMicros(found.summed)} USD`,
        );
      }
    const last = rows.at(-1);
    if (rows.length < SLICE || last === undefined) return { looked, faults };
    after = last.subject;
  }
}

interface Window {
  readonly key: string;
  readonly window: SpendWindow;
  readonly now: number;
}

async function spendingOf(session: Session, hooks: readonly GroupHooks[], window: Window) {
  return await withClosedDays(session, 'usage', ({ removedDay }) =>
    sumSpending(session, hooks, window, window.window === 'total' ? removedDay : 0),
  );
}

/** Sums in one statement, so that no order is placed or settled between the sums. */
async function sumSpending(
  session: Session,
  hooks: readonly GroupHooks[],
  { key, window, now }: Window,
  removedDay: number,
) {
  const { builder } = session;
  const from = windowStart(window, now);
  const row = await session.first(
    builder
      .selectFrom('spending')
      .select(SPENDING_COLUMNS)
      .select([
        spentBetween(builder, key, Math.max(from, removedDay * DAY_MS), Number.MAX_SAFE_INTEGER).as('orders'),
        unplacedAmounts(session, hooks, key, from).as('groups'),
        chargedBefore(builder, key, removedDay).as('days'),
      ])
      .where('subject', '=', key),
  );
  return (
    row && { counted: spentAt(row, now)[window], summed: Number(row.orders) + Number(row.groups) + Number(row.days) }
  );
}
