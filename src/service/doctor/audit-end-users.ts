import { daysOf, formatMicros, SPEND_WINDOWS, type SpendWindow, windowStart } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { DAY_MS, withClosedDays } from '../../accounts/closed-days.ts';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../check.ts';

const SLICE = 500;

/**
 * Checks whether the counted spending of each end user in its current windows equals its orders: their price while they
 * are open, and their charge afterwards. Where orders may have been removed since, the count may be higher.
 */
export async function auditEndUsers(session: Session, now: number): Promise<AuditReport> {
  const faults: string[] = [];
  let looked = 0;
  for (let after = ''; ; ) {
    const { removedDay, rows } = await withClosedDays(session, 'usage', async (closed) => ({
      removedDay: closed.removedDay,
      rows: await session.all(selectScopes(session, after, now)),
    }));
    for (const row of rows)
      for (const window of SPEND_WINDOWS) {
        const [counted, summed] = [Number(row[`${window}_counted`]), Number(row[`${window}_summed`])];
        const isWhole = windowStart(window, now) >= removedDay * DAY_MS;
        if (isWhole ? counted === summed : counted >= summed) continue;
        faults.push(
          `end user '${row.end_user ?? row.subject}' of key ${row.key}, ${window}: ${formatMicros(counted)} USD are counted, its orders add up to ${formatMicros(summed)} USD`,
        );
      }
    looked += rows.length;
    const last = rows.at(-1);
    if (rows.length < SLICE || last === undefined) return { looked, faults };
    after = last.subject;
  }
}

/** Selects a page in one statement, so that no order is placed or settled between the count and the sum. */
function selectScopes({ builder }: Session, after: string, now: number) {
  const { day, month } = daysOf(now);
  const amount = sql`case when step = 'final' then coalesce(charged, 0) else price end`;
  const summed = (window: SpendWindow) =>
    sql<number>`coalesce(sum(case when created_at >= ${windowStart(window, now)} then ${amount} end), 0)`;
  return builder
    .selectFrom(
      builder
        .selectFrom('spending')
        .select(['subject', 'total_used as total_counted'])
        .select([
          sql<number>`case when day >= ${day} then day_used else 0 end`.as('day_counted'),
          sql<number>`case when month >= ${month} then month_used else 0 end`.as('month_counted'),
        ])
        .where('subject', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('api_keys').select('id').whereRef('id', '=', 'subject'))),
        )
        .orderBy('subject')
        .limit(SLICE)
        .as('counted'),
    )
    .leftJoin('tasks', 'tasks.scope', 'counted.subject')
    .select(['subject', 'day_counted', 'month_counted', 'total_counted'])
    .select(({ fn }) => [fn.max('api_key_id').as('key'), fn.max('end_user').as('end_user')])
    .select([summed('day').as('day_summed'), summed('month').as('month_summed'), summed('total').as('total_summed')])
    .groupBy(['subject', 'day_counted', 'month_counted', 'total_counted'])
    .orderBy('subject');
}
