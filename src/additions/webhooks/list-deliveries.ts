import { type DeliveryView, isoTime } from '@darkroom-service/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schema, Session } from '../../kernel.ts';

export type DeliveryRow = Selectable<Schema['webhook_deliveries']>;

export interface DeliveryFilter {
  /** Key; null = all of the account. */
  readonly keyId: string | null;
  /** Account; null = every one. */
  readonly accountId: string | null;
  /** Mode of the tasks; null = both. */
  readonly mode: 'live' | 'test' | null;
  readonly status: DeliveryRow['status'] | null;
  readonly taskId: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Lists deliveries with their attempts, newest first. */
export async function listDeliveries(
  session: Session,
  filter: DeliveryFilter,
): Promise<{ items: DeliveryView[]; hasMore: boolean }> {
  const { limit, status, taskId } = filter;
  const page = status === 'pending' && taskId === null ? selectPending(session, filter) : selectNewest(session, filter);
  const rows = await session.all(page);
  return { items: await viewAll(session, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/** Starts from what is open, in this order of tables: an index of the owner has all deliveries that it ever had. */
function selectPending({ builder }: Session, filter: DeliveryFilter) {
  const { keyId, accountId, mode, after, limit } = filter;
  return builder
    .selectFrom('work')
    .crossJoin('webhook_deliveries')
    .selectAll('webhook_deliveries')
    .where('kind', '=', 'webhook')
    .$if(after !== null, (query) => query.where('subject', '<', after))
    .whereRef('id', '=', 'subject')
    .where('status', '=', 'pending')
    .$if(keyId !== null, (query) => query.where('api_key_id', '=', keyId))
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
    .$if(mode !== null, (query) => query.where('mode', '=', mode))
    .orderBy('subject', 'desc')
    .limit(limit + 1);
}

/** Reads the index that has the rows of the filter in their order, and merges both modes where it has them apart. */
function selectNewest({ builder }: Session, filter: DeliveryFilter) {
  const { keyId, accountId, mode, status, taskId, after, limit } = filter;
  const ofMode = (one: DeliveryFilter['mode']) => {
    const conditions: RawBuilder<unknown>[] = [];
    // As an expression, no index of the owner is used: a task has fewer rows.
    const column = (name: string) => (taskId === null ? sql.ref(name) : sql`${sql.ref(name)} || ''`);
    if (taskId !== null) conditions.push(sql`task_id = ${taskId}`);
    if (keyId !== null) conditions.push(sql`${column('api_key_id')} = ${keyId}`);
    // A key belongs to one account and has one mode.
    else {
      if (accountId !== null) conditions.push(sql`${column('account_id')} = ${accountId}`);
      if (one !== null) conditions.push(sql`${column('mode')} = ${one}`);
    }
    // As a literal in the statement: otherwise the planner does not use the partial indexes of failed deliveries.
    if (status !== null) conditions.push(sql`status = ${sql.lit(status)}`);
    if (after !== null) conditions.push(sql`id < ${after}`);
    const all = builder.selectFrom('webhook_deliveries').selectAll();
    const fitting = conditions.length === 0 ? all : all.where(sql<boolean>`${sql.join(conditions, sql` and `)}`);
    return fitting.orderBy('id', 'desc').limit(limit + 1);
  };
  const part = (one: 'live' | 'test') => builder.selectFrom(ofMode(one).as('part')).selectAll();
  const isApart = taskId === null && keyId === null && (accountId !== null || status === 'failed');
  if (mode !== null || !isApart) return ofMode(mode);
  const parts = part('live').unionAll(part('test'));
  return builder
    .selectFrom(parts.as('parts'))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1);
}

function isBatchEvent({ type }: Pick<DeliveryRow, 'type'>): boolean {
  return type.startsWith('batch.');
}

/** Returns deliveries with their attempts. */
export async function viewAll(session: Session, rows: readonly DeliveryRow[]): Promise<DeliveryView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const attempts = await session.all(
    session.builder.selectFrom('webhook_attempts').selectAll().where('delivery_id', 'in', ids).orderBy('id'),
  );
  const pending = await session.all(
    session.builder
      .selectFrom('work')
      .select(['subject', 'due_at'])
      .where('kind', '=', 'webhook')
      .where('subject', 'in', ids),
  );
  const dueAt = new Map(pending.map((work) => [work.subject, work.due_at]));
  return rows.map((row) => ({
    delivery_id: row.id,
    task_id: isBatchEvent(row) ? null : row.task_id,
    batch_id: isBatchEvent(row) ? row.task_id : null,
    // The document lists the types of the service, not those of additions of a folder.
    type: row.type as DeliveryView['type'],
    url: row.url,
    status: row.status,
    created_at: isoTime(row.created_at),
    delivered_at: isoTime(row.delivered_at),
    next_attempt_at: isoTime(dueAt.get(row.id) ?? null),
    attempts: attempts
      .filter((attempt) => attempt.delivery_id === row.id)
      .map(({ started_at, duration_ms, response_status, error }) => ({
        started_at: isoTime(started_at),
        duration_ms,
        response_status,
        error,
      })),
  }));
}
