import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from './closed-days.ts';
import { createdBetween } from './usage-days.ts';

/**
 * What usage of a span adds up: rows of tasks, and for whole days that are closed their sums. The sums know no end user
 * and no duration, so reports of these read the rows; only archived tasks, which have none, come from sums.
 */
export function usageParts(
  keyIds: readonly string[],
  span: { readonly from: number; readonly to: number; readonly endUser: string | null; readonly needsRows: boolean },
  beforeDay: number,
): RawBuilder<unknown> {
  const { from, to, endUser } = span;
  const [firstDay, endDay] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  const summedEnd = span.needsRows ? firstDay : Math.max(firstDay, Math.min(endDay, beforeDay));
  const parts: RawBuilder<unknown>[] = [];
  const rows = (start: number, end: number) => {
    if (start < end) parts.push(rowsOf(keyIds, start, end, endUser));
  };
  if (firstDay < summedEnd) {
    rows(from, firstDay * DAY_MS);
    parts.push(sumsOf(keyIds, firstDay, summedEnd, sql`1 = 1`));
    rows(summedEnd * DAY_MS, to);
  } else rows(from, to);
  // Archived tasks are erased, and so have no end user any more.
  if (summedEnd < endDay && endUser === null) parts.push(sumsOf(keyIds, summedEnd, endDay, sql`archived = 1`));
  return sql.join(parts, sql` union all `);
}

function rowsOf(keyIds: readonly string[], from: number, to: number, endUser: string | null): RawBuilder<unknown> {
  const ofUser = endUser === null ? sql`1 = 1` : sql`end_user = ${endUser}`;
  return sql`select model_id, status, end_user, created_at, charged, price, 1 as tasks,
    case when status = 'succeeded' then completed_at - created_at end as took
    from ${sql.table('tasks')} where api_key_id in (${sql.join(keyIds)}) and ${createdBetween(from, to)} and ${ofUser}`;
}

function sumsOf(keyIds: readonly string[], from: number, to: number, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select model_id, status, cast(null as text) as end_user, day * ${sql.lit(DAY_MS)} as created_at, charged,
    0 as price, tasks, cast(null as bigint) as took
    from ${sql.table('usage_days')}
    where api_key_id in (${sql.join(keyIds)}) and day >= ${from} and day < ${to} and ${which}`;
}
