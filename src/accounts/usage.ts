import { sql } from 'kysely';
import { isoTime } from '../base/clock.ts';
import { timeIdPrefix } from '../base/ids.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';

export const USAGE_GROUPS = ['day', 'model_id', 'status', 'end_user'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
/** `account`: every key of the account that has the calling key's mode. */
export type UsageScope = 'key' | 'account';

/** One group of tasks by what they were asked to be grouped by. */
export interface UsageRow {
  readonly day?: string;
  readonly model_id?: string;
  readonly status?: string;
  readonly end_user?: string | null;
  readonly tasks: number;
  /** What finished tasks cost. */
  readonly charged: string;
  /** What is set aside for tasks that are not final. */
  readonly held: string;
  readonly currency: 'USD';
  /** From the order to its result, in seconds: half of what succeeded was quicker, and 95 of 100. Null where nothing did. */
  readonly seconds?: { readonly p50: number | null; readonly p95: number | null };
}

export interface LedgerEntryView {
  readonly entry_id: string;
  readonly kind: 'credit' | 'hold' | 'release' | 'charge';
  readonly amount: string;
  readonly currency: 'USD';
  readonly task_id: string | null;
  readonly note: string | null;
  readonly created_at: string;
}

const DAY_MS = 86_400_000;
const TYPES = ['image', 'video'] as const;
const ID_PREFIX = { image: 'img', video: 'vid' } as const;

/** Tasks created in `from <= time < to`, and what they cost. Deleted tasks count: their money was spent. */
export async function readUsage(
  session: Session,
  key: OrderingKey,
  query: {
    readonly from: number;
    readonly to: number;
    readonly groupBy: readonly UsageGroup[];
    readonly scope: UsageScope;
    /** Also tells how long results took, which needs them sorted. */
    readonly timing: boolean;
  },
): Promise<UsageRow[]> {
  const keyIds = await keysInScope(session, key, query.scope);
  const day = sql<number>`created_at / ${sql.lit(DAY_MS)}`;
  const groups = query.groupBy.map((group) => (group === 'day' ? day : sql.ref(group)));
  const partition = groups.length === 0 ? sql`` : sql`partition by ${sql.join(groups)}`;
  const took = sql<number | null>`case when status = 'succeeded' then completed_at - created_at end`;
  let chosen = session.builder
    .selectFrom('tasks')
    .select(['model_id', 'status', 'end_user', 'created_at', 'charged', 'price'])
    .where('api_key_id', 'in', keyIds)
    .where((expression) =>
      // Ids sort by time of creation, so that the index finds the range and history before it costs nothing.
      expression.or(
        TYPES.map((type) =>
          expression.and([
            expression('type', '=', type),
            expression('id', '>=', timeIdPrefix(ID_PREFIX[type], query.from)),
            expression('id', '<', timeIdPrefix(ID_PREFIX[type], query.to)),
          ]),
        ),
      ),
    );
  if (query.timing) {
    // Rows without a result come last (a quarter of a million years), so that places count results alone.
    chosen = chosen.select([
      took.as('took'),
      sql<number>`row_number() over (${partition} order by coalesce(${took}, 9000000000000000))`.as('place'),
      sql<number>`count(${took}) over (${partition})`.as('results'),
    ]) as typeof chosen;
  }
  let tasks = session.builder
    .selectFrom(chosen.as('chosen'))
    .select((expression) => [
      expression.fn.countAll<number>().as('tasks'),
      expression.fn.sum<number | null>('charged').as('charged'),
      sql<number | null>`sum(case when charged is null then price end)`.as('held'),
    ]);
  if (query.timing) {
    tasks = tasks.select([
      sql<number | null>`max(case when place <= (results * 50 + 99) / 100 then took end)`.as('p50'),
      sql<number | null>`max(case when place <= (results * 95 + 99) / 100 then took end)`.as('p95'),
    ]) as typeof tasks;
  }
  for (const group of query.groupBy) {
    tasks =
      group === 'day'
        ? tasks.select(day.as('day')).groupBy(day).orderBy('day')
        : tasks
            .select(group)
            .groupBy(group)
            .orderBy(group, (order) => order.asc().nullsFirst());
  }
  const rows = (await session.all(tasks)) as (SumRow & {
    day?: number;
    model_id?: string;
    status?: string;
    end_user?: string | null;
    p50?: number | null;
    p95?: number | null;
  })[];
  const seconds = (milliseconds: number | null | undefined) =>
    milliseconds == null ? null : Number(milliseconds) / 1000;
  return rows.map((row) => ({
    ...(row.day === undefined ? {} : { day: new Date(Number(row.day) * DAY_MS).toISOString().slice(0, 10) }),
    ...(row.model_id === undefined ? {} : { model_id: row.model_id }),
    ...(row.status === undefined ? {} : { status: row.status }),
    ...(row.end_user === undefined ? {} : { end_user: row.end_user }),
    tasks: Number(row.tasks),
    charged: formatMicros(Number(row.charged ?? 0)),
    held: formatMicros(Number(row.held ?? 0)),
    currency: 'USD',
    ...(query.timing ? { seconds: { p50: seconds(row.p50), p95: seconds(row.p95) } } : {}),
  }));
}

/** Entries of the ledger, the newest first. Credits belong to no key and are seen in the scope `account` alone. */
export async function listLedger(
  session: Session,
  key: OrderingKey,
  page: { readonly limit: number; readonly after: number | null; readonly scope: UsageScope },
): Promise<{ readonly items: LedgerEntryView[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('ledger')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  query =
    page.scope === 'account'
      ? query.where('account_id', '=', key.account.id).where('mode', '=', key.mode)
      : query.where('api_key_id', '=', key.id);
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(query);
  return {
    items: rows.slice(0, page.limit).map((row) => ({
      entry_id: String(row.id),
      kind: row.kind,
      amount: formatMicros(row.amount),
      currency: 'USD',
      task_id: row.task_id,
      note: row.note,
      created_at: isoTime(row.created_at),
    })),
    hasMore: rows.length > page.limit,
  };
}

/** What is set aside for tasks of the account that are not final, in micro-dollars. */
export async function heldBy(session: Session, key: OrderingKey): Promise<Micros> {
  const row = await session.first(
    session.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.sum<number | null>('price').as('held'))
      .where('api_key_id', 'in', await keysInScope(session, key, 'account'))
      .where('type', 'in', TYPES)
      .where('status', 'in', ['queued', 'processing']),
  );
  return Number(row?.held ?? 0);
}

interface SumRow {
  readonly tasks: number;
  readonly charged: number | null;
  readonly held: number | null;
}

async function keysInScope(session: Session, key: OrderingKey, scope: UsageScope): Promise<string[]> {
  if (scope === 'key') return [key.id];
  const rows = await session.all(
    session.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', key.account.id)
      .where('mode', '=', key.mode),
  );
  return rows.map((row) => row.id);
}
