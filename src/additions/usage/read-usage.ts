import type { ReportCursor } from '@darkroom-service/addition-common/http/report-span';
import {
  formatMicros,
  given,
  ServiceError,
  type UsageGroup,
  type UsageRowView,
  zoneOffsets,
} from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Kernel, OrderingKey, ReportScope, Session } from '../../kernel.ts';

const DAY_MS = 86_400_000;
/**
 * Span above which a report by quarters of hours or by end users is long; `SEASON_MS` is that of reports by days. Long
 * reports run beside the short ones.
 */
const WEEK_MS = 7 * DAY_MS;
const SEASON_MS = 92 * DAY_MS;
const HOUR_QUARTER_MS = 15 * 60_000;
const MOST_TIMED_TASKS = 100_000;

type UsageSums = Parameters<Kernel['money']['usage']>[2]['sums'];

interface UsageQuery {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly UsageGroup[];
  /** Name of the time zone of the days in `day`. */
  readonly timezone: string;
  readonly scope: ReportScope;
  /** End user whose tasks are counted; null = all. */
  readonly endUser: string | null;
  /** Whether to return the percentiles of durations, which requires sorting. */
  readonly timing: boolean;
  readonly limit: number;
  /** Group values after which the rows begin; null = from the first. */
  readonly after: ReportCursor['values'] | null;
}

/**
 * Returns tasks created in `from <= time < to` and their cost, a page at a time. Deleted tasks count, since their money
 * was spent. A span that begins or ends within a day whose rows may be removed covers that whole day.
 * @throws ServiceError `invalid_request` if percentiles are asked for of too many tasks
 */
export async function readUsage(
  { money, store }: Pick<Kernel, 'money' | 'store'>,
  key: OrderingKey,
  query: UsageQuery,
): Promise<UsagePage> {
  const { reports } = store.replica;
  const keyIds = await money.keys(key, query.scope, reports);
  const { from, to, timing, endUser } = query;
  const isDetailed = endUser !== null || query.groupBy.includes('end_user') || isOfLocalDays(query);
  const sums = isDetailed ? (isOfQuarters(query) ? 'quarters' : 'none') : 'days';
  if (timing) await assertFewEnough(money, reports.inTurn({ owner: key.id, isLong: false }), keyIds, query, sums);
  const isLong = timing || to - from > (isDetailed ? WEEK_MS : SEASON_MS);
  const session = reports.inTurn({ owner: key.id, isLong });
  return await money.usage(
    session,
    keyIds,
    { from, to, endUser, sums: timing ? 'none' : sums },
    async (covered, parts) => ({
      ...covered,
      ...(await readPage(session, { ...query, ...covered }, parts)),
    }),
  );
}

/**
 * Refuses percentiles of too many tasks, since they need the rows of all tasks.
 * @throws ServiceError `invalid_request`
 */
async function assertFewEnough(
  money: Kernel['money'],
  session: Session,
  keyIds: readonly string[],
  { from, to, endUser }: UsageQuery,
  sums: UsageSums,
): Promise<void> {
  const tasks = await money.usage(session, keyIds, { from, to, endUser, sums }, async (_covered, parts) => {
    const counted = sql<{ tasks: number }>`(select coalesce(sum(tasks), 0) as tasks from (${parts}) as parts)`;
    return Number((await session.all(session.builder.selectFrom(counted.as('counted')).select('tasks')))[0]?.tasks);
  });
  if (tasks <= MOST_TIMED_TASKS) return;
  throw new ServiceError(
    'invalid_request',
    `'timing' can be of at most ${MOST_TIMED_TASKS.toLocaleString('en')} tasks, and the span has ${tasks.toLocaleString('en')}. Bring 'from' and 'to' closer together, name an 'end_user', or leave 'timing' out.`,
    { param: 'timing' },
  );
}

function isOfLocalDays({ timezone, groupBy }: UsageQuery): boolean {
  return timezone !== 'UTC' && groupBy.includes('day');
}

/** Tells whether a zone's days are made of quarters of hours of UTC, as those of all zones have been for decades. */
function isOfQuarters(query: UsageQuery): boolean {
  if (!isOfLocalDays(query)) return true;
  const changes = zoneOffsets(query.timezone, query.from, query.to);
  return changes.every(
    ({ until, aheadMs }, index) =>
      aheadMs % HOUR_QUARTER_MS === 0 && (index === changes.length - 1 || until % HOUR_QUARTER_MS === 0),
  );
}

interface UsagePage {
  readonly from: number;
  readonly to: number;
  readonly items: UsageRowView[];
  readonly last: ReportCursor['values'] | null;
  readonly hasMore: boolean;
}

async function readPage(
  session: Session,
  query: UsageQuery,
  parts: RawBuilder<unknown>,
): Promise<Omit<UsagePage, 'from' | 'to'>> {
  const isUtc = query.timezone === 'UTC';
  const day = sql<number>`(created_at + ${isUtc ? sql.lit(0) : aheadOfUtc(query)}) / ${sql.lit(DAY_MS)}`;
  const groups = query.groupBy.map((group) => (group === 'day' ? day : sql.ref(group)));
  const partition = groups.length === 0 ? sql`` : sql`partition by ${sql.join(groups)}`;
  const columns = [sql`parts.*`];
  if (query.timing) {
    // Rows without a result sort last (a quarter of a million years), so that `result_rank` counts results only.
    columns.push(
      sql`row_number() over (${partition} order by coalesce(took, 9000000000000000)) as result_rank`,
      sql`count(took) over (${partition}) as results`,
    );
  }
  const chosen = sql<SumRow>`(select ${sql.join(columns)} from (${parts}) as parts)`;
  let tasks = session.builder
    .selectFrom(chosen.as('chosen'))
    .select((expression) => [
      expression.fn.sum<number | null>('tasks').as('tasks'),
      expression.fn.sum<number | null>('charged').as('charged'),
      sql<number | null>`sum(case when charged is null then price end)`.as('held'),
    ]);
  if (query.timing) {
    // Nearest-rank percentiles: the longest of the first 50 and 95 % of the results, rounded up.
    tasks = tasks.select([
      sql<number | null>`max(case when result_rank <= (results * 50 + 99) / 100 then took end)`.as('p50'),
      sql<number | null>`max(case when result_rank <= (results * 95 + 99) / 100 then took end)`.as('p95'),
    ]) as typeof tasks;
  }
  // One of the spellings that were sent.
  if (query.groupBy.includes('end_user'))
    tasks = tasks.select(sql<string | null>`max(coalesce(end_user_sent, end_user))`.as('sent')) as typeof tasks;
  for (const group of query.groupBy)
    tasks =
      group === 'day' ? tasks.select(day.as('day')).groupBy(day) : (tasks.select(group).groupBy(group) as typeof tasks);
  let page = session.builder
    .selectFrom(tasks.as('grouped'))
    .selectAll()
    .limit(query.limit + 1);
  // Rows without an end user come first: the empty string sorts before all others.
  const sortKeys = query.groupBy.map((group) =>
    group === 'end_user' ? sql`coalesce(end_user, '')` : sql`${sql.ref(group)}`,
  );
  for (const sortKey of sortKeys) page = page.orderBy(sortKey);
  if (query.after !== null && sortKeys.length > 0)
    page = page.where(sql<boolean>`(${sql.join(sortKeys)}) > (${sql.join(query.after)})`);
  const found = (await session.all(page)) as GroupRow[];
  const rows = found.slice(0, query.limit);
  const seconds = (milliseconds: number | null | undefined) =>
    milliseconds == null ? null : Number(milliseconds) / 1000;
  const items = rows.map((row) => ({
    ...(row.day === undefined ? {} : { day: new Date(Number(row.day) * DAY_MS).toISOString().slice(0, 10) }),
    ...given({ model_id: row.model_id, status: row.status, end_user: row.end_user && (row.sent ?? row.end_user) }),
    tasks: Number(row.tasks ?? 0),
    charged: formatMicros(Number(row.charged ?? 0)),
    held: formatMicros(Number(row.held ?? 0)),
    currency: 'USD' as const,
    ...(query.timing ? { seconds: { p50: seconds(row.p50), p95: seconds(row.p95) } } : {}),
  }));
  const lastRow = rows.at(-1);
  const last = lastRow === undefined ? null : query.groupBy.map((group) => groupValue(lastRow, group));
  return { items, last, hasMore: found.length > query.limit };
}

/** Returns the time zone's offset from UTC at `created_at`, in milliseconds. */
function aheadOfUtc({ timezone, from, to }: Pick<UsageQuery, 'timezone' | 'from' | 'to'>) {
  const offsets = zoneOffsets(timezone, from, to);
  const cases = offsets.map(({ until, aheadMs }) => sql`when created_at < ${sql.lit(until)} then ${sql.lit(aheadMs)}`);
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(offsets.at(-1)?.aheadMs ?? 0)} end`;
}

function groupValue(row: GroupRow, group: UsageGroup): string | number {
  return group === 'day' ? Number(row.day) : (row[group] ?? '');
}

interface SumRow {
  readonly model_id: string;
  readonly status: string;
  readonly end_user: string | null;
  readonly end_user_sent: string | null;
  readonly created_at: number;
  readonly charged: number | null;
  readonly tasks: number;
}

interface GroupRow {
  readonly tasks: number | null;
  readonly charged: number | null;
  readonly held: number | null;
  readonly day?: number;
  readonly model_id?: string;
  readonly status?: NonNullable<UsageRowView['status']>;
  readonly end_user?: string | null;
  readonly sent?: string | null;
  readonly p50?: number | null;
  readonly p95?: number | null;
}
