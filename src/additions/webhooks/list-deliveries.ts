import { type DeliveryView, isoTime } from '@darkroom-service/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schema, Session, Transaction } from '../../kernel.ts';

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
  const { limit, after, taskId } = filter;
  const { builder } = session;
  const fits = fitting(session, filter);
  const rows = await session.all(
    filter.status === 'pending' && taskId === null
      ? // From what is open, in this order of tables: an index of the owner has all deliveries that it ever had.
        builder
          .selectFrom('work')
          .crossJoin('webhook_deliveries')
          .selectAll('webhook_deliveries')
          .where('kind', '=', 'webhook')
          .$if(after !== null, (query) => query.where('subject', '<', after))
          .whereRef('id', '=', 'subject')
          .where(fits)
          .orderBy('subject', 'desc')
          .limit(limit + 1)
      : builder
          .selectFrom('webhook_deliveries')
          .selectAll()
          .$if(after !== null, (query) => query.where('id', '<', after))
          .where(fits)
          .orderBy('id', 'desc')
          .limit(limit + 1),
  );
  return { items: await viewAll(session, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/** Returns the condition of a filter, without its page. */
function fitting(session: Session, { keyId, accountId, mode, status, taskId }: DeliveryFilter) {
  const isAmongFew = taskId !== null || status === 'pending' || status === 'failed';
  // As an expression, no index of the owner is used: the task, and what is open or failed, has fewer rows.
  const column = (name: string, isIndexed = !isAmongFew) => (isIndexed ? sql.ref(name) : sql`${sql.ref(name)} || ''`);
  const conditions: RawBuilder<unknown>[] = [];
  if (keyId !== null) conditions.push(sql`${column('api_key_id')} = ${keyId}`);
  // A key belongs to one account; with both conditions SQLite would scan all of the account's deliveries.
  if (accountId !== null && (keyId === null || isAmongFew))
    conditions.push(
      sql`${column('account_id', !isAmongFew || (status === 'failed' && taskId === null))} = ${accountId}`,
    );
  if (keyId === null && mode !== null)
    conditions.push(sql`${column('api_key_id')} in ${keysOfMode(session, { accountId, mode })}`);
  // As a literal in the statement: otherwise the planner does not use the partial index of failed deliveries.
  if (status !== null) conditions.push(sql`status = ${sql.lit(status)}`);
  if (taskId !== null) conditions.push(sql`task_id = ${taskId}`);
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Selects the keys whose deliveries a filter requests. */
export function keysOfMode(
  session: Session | Transaction,
  { accountId, mode }: Pick<DeliveryFilter, 'accountId' | 'mode'>,
) {
  let keys = session.builder.selectFrom('api_keys').select('id');
  if (mode !== null) keys = keys.where('mode', '=', mode);
  if (accountId !== null) keys = keys.where('account_id', '=', accountId);
  return keys;
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
    type: row.type,
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
