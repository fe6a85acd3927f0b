import { formatMicros } from '@darkroom-service/contract';
import { DAY_MS, withClosedDays } from '../../accounts/closed-days.ts';
import type { GroupHooks } from '../../accounts/open-groups.ts';
import { periodOf, SPEND_WINDOWS, windowStart } from '../../accounts/spend-windows.ts';
import { chargedBefore, promisedSince, spentBetween } from '../../accounts/start-counting.ts';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../finding.ts';

const SLICE = 500;

/**
 * Checks whether the spending that each limited key has in its current windows equals its orders: their price while
 * they are open, and their charge afterwards. Past windows limit nothing any more.
 */
export async function auditSpending(session: Session, hooks: readonly GroupHooks[], now: number): Promise<AuditReport> {
  const faults: string[] = [];
  const starts = new Map(SPEND_WINDOWS.map((window) => [periodOf(window, now), windowStart(window, now)]));
  const limited = new Map(SPEND_WINDOWS.map((window) => [periodOf(window, now), `spend_${window}` as const]));
  let looked = 0;
  for (let after = { subject: '', period: '' }; ; ) {
    const rows = await session.all(
      session.builder
        .selectFrom('meters')
        .innerJoin('api_keys', 'api_keys.id', 'subject')
        .select(['subject', 'period'])
        .where('kind', '=', 'spend')
        // A window whose limit was removed may have missed orders: it is summed anew before it is limited again.
        .where((expression) =>
          expression.or(
            [...limited].map(([period, column]) =>
              expression.and([expression('period', '=', period), expression(column, 'is not', null)]),
            ),
          ),
        )
        .where((expression) =>
          expression.or([
            expression('subject', '>', after.subject),
            expression.and([expression('subject', '=', after.subject), expression('period', '>', after.period)]),
          ]),
        )
        .orderBy('subject')
        .orderBy('period')
        .limit(SLICE),
    );
    for (const { subject: key, period } of rows) {
      const found = await spendingOf(session, hooks, { key, period, from: starts.get(period) ?? 0 });
      if (found === undefined || found.counted === found.summed) continue;
      faults.push(
        `key ${key}, ${period}: ${formatMicros(found.counted)} USD are counted, its orders add up to ${formatMicros(found.summed)} USD`,
      );
    }
    looked += rows.length;
    const last = rows.at(-1);
    if (rows.length < SLICE || last === undefined) return { looked, faults };
    after = last;
  }
}

interface Window {
  readonly key: string;
  readonly period: string;
  readonly from: number;
}

async function spendingOf(session: Session, hooks: readonly GroupHooks[], window: Window) {
  return await withClosedDays(session, 'usage', ({ removedDay }) =>
    sumSpending(session, hooks, window, window.from === 0 ? removedDay : 0),
  );
}

/** One statement, so that no order is placed or settled between the sums. */
async function sumSpending(
  session: Session,
  hooks: readonly GroupHooks[],
  { key, period, from }: Window,
  removedDay: number,
) {
  const { builder } = session;
  const row = await session.first(
    builder
      .selectFrom('meters')
      .select([
        'used',
        spentBetween(builder, key, Math.max(from, removedDay * DAY_MS), Number.MAX_SAFE_INTEGER).as('orders'),
        promisedSince(session, hooks, key, from).as('groups'),
        chargedBefore(builder, key, removedDay).as('days'),
      ])
      .where('subject', '=', key)
      .where('kind', '=', 'spend')
      .where('period', '=', period),
  );
  return row && { counted: row.used, summed: Number(row.orders) + Number(row.groups) + Number(row.days) };
}
