import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';
import { DAY_MS, dayOf } from './closed-days.ts';
import { keysInScope, type UsageScope } from './usage.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Widens a span that begins or ends within a day of archived tasks to the whole day, since only the sums of that day
 * are left.
 */
export async function wholeUsageDays(session: Session, key: OrderingKey, scope: UsageScope, span: Span): Promise<Span> {
  const keyIds = await keysInScope(session, key, scope);
  return await widen(span, async (day) => {
    const row = await session.first(
      session.builder
        .selectFrom('usage_days')
        .select('day')
        .where('api_key_id', 'in', keyIds)
        .where('day', '=', day)
        .where('archived', '=', 1)
        .limit(1),
    );
    return row !== undefined;
  });
}

/** The same for days on which orders with a cost were settled. */
export async function wholeCostDays(session: Session, span: Span): Promise<Span> {
  return await widen(span, async (day) => {
    const row = await session.first(
      session.builder.selectFrom('cost_days').select('day').where('day', '=', day).where('archived', '=', 1).limit(1),
    );
    return row !== undefined;
  });
}

async function widen({ from, to }: Span, isArchived: (day: number) => Promise<boolean>): Promise<Span> {
  const cutsFirst = from % DAY_MS !== 0 && (await isArchived(dayOf(from)));
  const cutsLast = to % DAY_MS !== 0 && (await isArchived(dayOf(to)));
  return {
    from: cutsFirst ? dayOf(from) * DAY_MS : from,
    to: cutsLast ? (dayOf(to) + 1) * DAY_MS : to,
  };
}
