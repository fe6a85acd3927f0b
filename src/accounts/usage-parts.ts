import { canonicalName } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { type ClosedDays, DAY_MS, dayOf, readClosedDays, withClosedDays } from './closed-days.ts';
import { createdBetween } from './task-days.ts';
import { NOBODY, QUARTER_MS } from './usage-quarters.ts';

/** The period and filter of a usage report. */
interface UsageSpan {
  readonly from: number;
  readonly to: number;
  /** Only orders of this end user; null = all. */
  readonly endUser: string | null;
  /**
   * Sums that the report may read: daily ones; ones by quarters of an hour, which also have end users; or none, since
   * it needs values that only rows of orders have, such as durations.
   */
  readonly sums: 'days' | 'quarters' | 'none';
}

/**
 * Runs a report over some keys' orders that were created in `from <= time < to`. A span that begins or ends within a
 * day whose rows may be removed is extended to that whole day.
 * @param report receives the extended span, and the rows to add up, as SQL
 */
export async function withUsage<T>(
  session: Session,
  keyIds: readonly string[],
  span: UsageSpan,
  report: (covered: { readonly from: number; readonly to: number }, parts: RawBuilder<unknown>) => Promise<T>,
): Promise<T> {
  return await withClosedDays(session, 'usage', async (days) => {
    const rowsFrom = days.removedDay * DAY_MS;
    const from = span.from < rowsFrom ? dayOf(span.from) * DAY_MS : span.from;
    const to = span.to < rowsFrom ? Math.ceil(span.to / DAY_MS) * DAY_MS : span.to;
    const { beforeDay: quartersEnd } = await readClosedDays(session, 'quarters');
    return await report({ from, to }, usageParts(keyIds, { ...span, from, to }, { ...days, quartersEnd }));
  });
}

/** Returns the time from which the rows of all orders are kept: older ones may be removed. */
export async function rowsKeptSince(session: Session): Promise<number> {
  return (await readClosedDays(session, 'usage')).removedDay * DAY_MS;
}

/**
 * Returns the rows that a usage report adds up: sums of whole closed days, sums of quarters of an hour of closed days,
 * and tasks for the rest. Removed tasks, which have no end user and no duration, come from the sums of days.
 * @param span has only whole days before `removedDay`
 */
function usageParts(
  keyIds: readonly string[],
  { from, to, endUser, sums }: UsageSpan,
  { beforeDay, removedDay, quartersEnd }: ClosedDays & { readonly quartersEnd: number },
): RawBuilder<unknown> {
  const [firstDay, endDay] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  const summedEnd = sums === 'days' ? Math.max(firstDay, Math.min(endDay, beforeDay)) : firstDay;
  const parts: RawBuilder<unknown>[] = [];
  const rows = (start: number, end: number) => {
    if (start < end) parts.push(rowsOf(keyIds, start, end, endUser));
  };
  const detailed = (start: number, end: number) => {
    const first = Math.max(Math.ceil(start / QUARTER_MS), removedDay * (DAY_MS / QUARTER_MS));
    const after = Math.min(Math.floor(end / QUARTER_MS), quartersEnd * (DAY_MS / QUARTER_MS));
    if (sums === 'none' || first >= after) return rows(start, end);
    rows(start, first * QUARTER_MS);
    parts.push(quartersOf(keyIds, first, after, endUser));
    rows(after * QUARTER_MS, end);
  };
  if (firstDay < summedEnd) {
    detailed(from, firstDay * DAY_MS);
    parts.push(sumsOf(keyIds, firstDay, summedEnd));
    detailed(summedEnd * DAY_MS, to);
  } else detailed(from, to);
  const removedEnd = Math.min(endDay, removedDay);
  // Removed tasks are erased, so they have no end user any more.
  if (summedEnd < removedEnd && endUser === null) parts.push(removedOf(keyIds, summedEnd, removedEnd));
  return sql.join(parts, sql` union all `);
}

function rowsOf(keyIds: readonly string[], from: number, to: number, endUser: string | null): RawBuilder<unknown> {
  const ofUser = endUser === null ? sql`1 = 1` : sql`end_user = ${canonicalName(endUser)}`;
  return sql`select model_id, status, end_user, end_user_sent, created_at, charged, price, 1 as tasks,
    case when status = 'succeeded' then completed_at - created_at end as took
    from ${sql.table('tasks')} where api_key_id in (${sql.join(keyIds)}) and ${createdBetween(from, to)} and ${ofUser}`;
}

function sumsOf(keyIds: readonly string[], from: number, to: number): RawBuilder<unknown> {
  return sql`select model_id, status, cast(null as text) as end_user,
    cast(null as text) as end_user_sent, day * ${sql.lit(DAY_MS)} as created_at, charged,
    0 as price, tasks, cast(null as bigint) as took
    from ${sql.table('usage_days')} where api_key_id in (${sql.join(keyIds)}) and day >= ${from} and day < ${to}`;
}

function quartersOf(keyIds: readonly string[], from: number, to: number, endUser: string | null): RawBuilder<unknown> {
  const ofUser = endUser === null ? sql`1 = 1` : sql`end_user = ${canonicalName(endUser)}`;
  return sql`select model_id, status, nullif(end_user, ${sql.lit(NOBODY)}) as end_user, end_user_sent,
    quarter * ${sql.lit(QUARTER_MS)} as created_at, charged, 0 as price, tasks, cast(null as bigint) as took
    from ${sql.table('usage_quarters')}
    where api_key_id in (${sql.join(keyIds)}) and quarter >= ${from} and quarter < ${to} and ${ofUser}`;
}

/** Selects the sums of days minus their remaining rows. */
function removedOf(keyIds: readonly string[], from: number, to: number): RawBuilder<unknown> {
  const rows = rowsOf(keyIds, from * DAY_MS, to * DAY_MS, null);
  return sql`select model_id, status, cast(null as text) as end_user,
    cast(null as text) as end_user_sent, day * ${sql.lit(DAY_MS)} as created_at,
    sum(charged) as charged, 0 as price, sum(tasks) as tasks, cast(null as bigint) as took
    from (
      select model_id, status, created_at / ${sql.lit(DAY_MS)} as day, charged, tasks
      from (${sumsOf(keyIds, from, to)}) as sums
      union all
      select model_id, status, created_at / ${sql.lit(DAY_MS)}, -charged, -tasks from (${rows}) as rows_left
    ) as days
    group by model_id, status, day having sum(tasks) > 0`;
}
