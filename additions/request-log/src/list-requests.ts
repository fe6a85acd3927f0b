import { isoTime, type LoggedRequestView, timeIdPrefix } from '@darkroom-service/contract';
import type { Schema, Session } from '@darkroom-service/darkroom/kernel';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';

export interface RequestQuery {
  /** Key of the requests; null in any filter = all. */
  readonly keyId: string | null;
  readonly accountId: string | null;
  readonly taskId?: string | null;
  /** Status: `404`, `4xx` or `failed`. */
  readonly status: string | null;
  readonly code: string | null;
  readonly method: string | null;
  /** Start of the span, in milliseconds since 1970 UTC; the end is excluded. */
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
  /** An entry_id; lists older entries. */
  readonly after: string | null;
}

type Select = SelectQueryBuilder<Schema, 'request_log', object>;

/** Maximum number of entries read for one page: few may match a filter. */
const MOST_LOOKED_AT = 20_000;

/** Lists requests that keys sent lately, newest first. */
export async function listRequests(
  session: Session,
  query: RequestQuery,
): Promise<{ readonly items: LoggedRequestView[]; readonly nextAfter: string | null }> {
  const range = selectRange(session, query);
  const walked = range.selectAll().orderBy('id', 'desc').limit(MOST_LOOKED_AT);
  let select = session.builder
    .selectFrom(walked.as('walked'))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.taskId != null) select = select.where('task_id', '=', query.taskId);
  if (query.method !== null) select = select.where('method', '=', query.method);
  if (query.code !== null) select = select.where('code', '=', query.code);
  const [from, to] = statusesOf(query.status);
  if (query.status !== null) select = select.where('status', '>=', from).where('status', '<=', to);
  const rows = await session.all(select);
  const items = rows.slice(0, query.limit).map(view);
  if (rows.length > query.limit) return { items, nextAfter: items.at(-1)?.entry_id ?? null };
  const last = await session.first(
    range
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(MOST_LOOKED_AT - 1),
  );
  return { items, nextAfter: last?.id ?? null };
}

/** Selects by the filters that an index answers. */
function selectRange({ builder }: Session, query: RequestQuery): Select {
  let select: Select = builder.selectFrom('request_log');
  if (query.keyId !== null) select = select.where('api_key_id', '=', query.keyId);
  if (query.accountId !== null) select = select.where('account_id', '=', query.accountId);
  // Must equal the partial index's predicate.
  if (query.code !== null || statusesOf(query.status)[0] >= 400) select = select.where('status', '>=', sql.lit(400));
  if (query.after !== null) select = select.where('id', '<', query.after);
  if (query.since !== null) select = select.where('id', '>=', timeIdPrefix('rql', query.since));
  if (query.until !== null) select = select.where('id', '<', timeIdPrefix('rql', query.until));
  return select;
}

/** Returns the first and the last status that a filter means. */
function statusesOf(status: string | null): readonly [number, number] {
  if (status === null) return [0, 599];
  if (status === 'failed') return [400, 599];
  if (status.endsWith('xx')) return [Number(status[0]) * 100, Number(status[0]) * 100 + 99];
  return [Number(status), Number(status)];
}

function view(row: Selectable<Schema['request_log']>): LoggedRequestView {
  return {
    entry_id: row.id,
    answered_at: isoTime(row.answered_at),
    key_id: row.api_key_id,
    account_id: row.account_id,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    duration_ms: row.duration_ms,
    request_id: row.request_id,
    task_id: row.task_id,
  };
}
