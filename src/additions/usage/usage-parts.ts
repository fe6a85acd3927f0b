import { type RawBuilder, sql } from 'kysely';
import { type ClosedDays, DAY_MS } from '../../accounts/closed-days.ts';
import { createdBetween } from '../../accounts/task-days.ts';

/**
 * Returns the rows that usage of a span adds up: tasks, and for whole closed days their sums. The sums have no end user
 * and no duration, so reports of these read the tasks; only removed tasks, which have none, come from sums.
 * @param span its days before `removedDay` are whole
 */
export function usageParts(
  keyIds: readonly string[],
  span: { readonly from: number; readonly to: number; readonly endUser: string | null; readonly needsRows: boolean },
  { beforeDay, removedDay }: Pick<ClosedDays, 'beforeDay' | 'removedDay'>,
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
    parts.push(sumsOf(keyIds, firstDay, summedEnd));
    rows(summedEnd * DAY_MS, to);
  } else rows(from, to);
  const removedEnd = Math.min(endDay, removedDay);
  // Removed tasks are erased, and so have no end user any more.
  if (summedEnd < removedEnd && endUser === null) parts.push(removedOf(keyIds, summedEnd, removedEnd));
  return sql.join(parts, sql` union all `);
}

function rowsOf(keyIds: readonly string[], from: number, to: number, endUser: string | null): RawBuilder<unknown> {
  const ofUser = endUser === null ? sql`1 = 1` : sql`end_user = ${endUser}`;
  return sql`select model_id, status, end_user, created_at, charged, price, 1 as tasks,
    case when status = 'succeeded' then completed_at - created_at end as took
    from ${sql.table('tasks')} where api_key_id in (${sql.join(keyIds)}) and ${createdBetween(from, to)} and ${ofUser}`;
}

function sumsOf(keyIds: readonly string[], from: number, to: number): RawBuilder<unknown> {
  return sql`select model_id, status, cast(null as text) as end_user, day * ${sql.lit(DAY_MS)} as created_at, charged,
    0 as price, tasks, cast(null as bigint) as took
    from ${sql.table('usage_days')} where api_key_id in (${sql.join(keyIds)}) and day >= ${from} and day < ${to}`;
}

/** What the sums of days contain beyond the rows that are left. */
function removedOf(keyIds: readonly string[], from: number, to: number): RawBuilder<unknown> {
  const rows = rowsOf(keyIds, from * DAY_MS, to * DAY_MS, null);
  return sql`select model_id, status, cast(null as text) as end_user, day * ${sql.lit(DAY_MS)} as created_at,
    sum(charged) as charged, 0 as price, sum(tasks) as tasks, cast(null as bigint) as took
    from (
      select model_id, status, created_at / ${sql.lit(DAY_MS)} as day, charged, tasks
      from (${sumsOf(keyIds, from, to)}) as sums
      union all
      select model_id, status, created_at / ${sql.lit(DAY_MS)}, -charged, -tasks from (${rows}) as rows_left
    ) as days
    group by model_id, status, day having sum(tasks) > 0`;
}
