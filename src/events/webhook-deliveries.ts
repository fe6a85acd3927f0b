import { type Selectable, sql } from 'kysely';
import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Binding } from '../database/deeds.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { DeliveryView } from '../wire/webhook.ts';

export type DeliveryRow = Selectable<Schema['webhook_deliveries']>;

/** Longer than an attempt may take, so that no two processes make the same attempt. */
export const DELIVERY_LEASE_MS = 30_000;

interface NewDelivery {
  id: string;
  account: string;
  key: string;
  /** The task or the batch. */
  subject: string;
  type: DeliveryRow['type'];
  url: string;
  now: number;
}

const insertDelivery = prepare<NewDelivery, unknown>('webhook_insert', (builder, argument) =>
  builder.insertInto('webhook_deliveries').values({
    id: argument('id'),
    account_id: argument('account'),
    api_key_id: argument('key'),
    task_id: argument('subject'),
    type: argument('type'),
    url: argument('url'),
    status: 'pending',
    attempts: 0,
    next_at: argument('now'),
    fence: 0,
    created_at: argument('now'),
    delivered_at: null,
  }),
);

/** Records the delivery of the end of a task or a batch, in the transaction that ends it. */
export async function enterDelivery(trx: Transaction, delivery: NewDelivery): Promise<void> {
  await trx.run(insertDelivery, delivery);
}

/**
 * Returns when the next attempt is due, by the database's clock; null = nothing is waiting.
 * @param except accounts to leave out
 */
export async function nextDelivery(
  session: Session,
  except: readonly string[],
): Promise<{ readonly inMs: number } | null> {
  let select = session.builder
    .selectFrom('webhook_deliveries')
    .select([(expression) => expression.fn.min<number | null>('next_at').as('at'), session.now.as('now')])
    .where('next_at', 'is not', null);
  if (except.length > 0) select = select.where('account_id', 'not in', except);
  const row = await session.first(select);
  return row === undefined || row.at === null ? null : { inMs: row.at - row.now };
}

/**
 * Claims due deliveries. Each claim increases the fence, so that a late attempt is not recorded.
 * @param claim.except accounts to leave out
 */
export async function claimDeliveries(
  trx: Transaction,
  claim: { readonly limit: number; readonly leaseMs: number; readonly except: readonly string[] },
): Promise<DeliveryRow[]> {
  let due = trx.builder
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('next_at', '<=', trx.now)
    .orderBy('next_at')
    .limit(claim.limit)
    .forUpdate()
    .skipLocked();
  if (claim.except.length > 0) due = due.where('account_id', 'not in', claim.except);
  return await trx.all(
    trx.builder
      .updateTable('webhook_deliveries')
      .set((expression) => ({
        fence: expression('fence', '+', 1),
        attempts: expression('attempts', '+', 1),
        next_at: sql<number>`${trx.now} + ${sql.lit(claim.leaseMs)}`,
      }))
      .where('id', 'in', due)
      .returningAll(),
  );
}

/** Returns whether the delivery concerns a live or a test order: the mode of the key that placed it. */
export async function modeOfDelivery(session: Session, delivery: DeliveryRow): Promise<'live' | 'test'> {
  const key = await session.first(
    session.builder.selectFrom('api_keys').select('mode').where('id', '=', delivery.api_key_id),
  );
  return key?.mode === 'test' ? 'test' : 'live';
}

/** The outcome of an attempt. `nextInMs` null: no further attempt follows. */
interface AttemptOutcome {
  readonly attemptId: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly nextInMs: number | null;
}

/** Records an attempt and its consequence: delivered, another attempt later, or failed. */
export async function finishAttempt(trx: Transaction, delivery: DeliveryRow, outcome: AttemptOutcome): Promise<void> {
  const delivered = outcome.error === null;
  const changed = await trx.run(
    trx.builder
      .updateTable('webhook_deliveries')
      .set({
        status: delivered ? 'delivered' : outcome.nextInMs === null ? 'failed' : 'pending',
        delivered_at: delivered ? outcome.startedAt + outcome.durationMs : null,
        next_at:
          delivered || outcome.nextInMs === null
            ? null
            : sql<number>`${trx.now} + ${sql.lit(Math.round(outcome.nextInMs))}`,
      })
      .where('id', '=', delivery.id)
      .where('fence', '=', delivery.fence),
  );
  if (changed === 0) return;
  await trx.run(
    trx.builder.insertInto('webhook_attempts').values({
      id: outcome.attemptId,
      delivery_id: delivery.id,
      started_at: outcome.startedAt,
      duration_ms: outcome.durationMs,
      response_status: outcome.responseStatus,
      error: outcome.error,
    }),
  );
}

export interface DeliveryFilter {
  /** Only of this key; null = of the whole account. */
  readonly keyId: string | null;
  /** Null = of every account. */
  readonly accountId: string | null;
  /** Only of tasks of this mode; null = of both. */
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
  let query = session.builder
    .selectFrom('webhook_deliveries')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
  // A key belongs to one account; with both conditions SQLite would scan all of the account's deliveries.
  if (filter.keyId !== null) query = query.where('api_key_id', '=', filter.keyId);
  else {
    if (filter.accountId !== null) query = query.where('account_id', '=', filter.accountId);
    if (filter.mode !== null) query = query.where('api_key_id', 'in', keysOfMode(session, filter));
  }
  // As a literal in the statement: otherwise the planner does not use the partial index of failed deliveries.
  if (filter.status !== null) query = query.where('status', '=', sql.lit(filter.status));
  if (filter.taskId !== null) query = query.where('task_id', '=', filter.taskId);
  if (filter.after !== null) query = query.where('id', '<', filter.after);
  const rows = await session.all(query);
  const page = rows.slice(0, filter.limit);
  return { items: await viewAll(session, page), hasMore: rows.length > filter.limit };
}

/**
 * Sends a delivery again, whatever its status: the retry schedule starts over.
 * @throws ServiceError `not_found`
 */
export async function redeliver(
  database: Database,
  filter: Pick<DeliveryFilter, 'keyId' | 'accountId' | 'mode'>,
  deliveryId: string,
  binding?: Binding,
): Promise<DeliveryView> {
  const row = await database.write('webhook_redeliver', async (trx) => {
    await binding?.within(trx, deliveryId);
    let query = trx.builder
      .updateTable('webhook_deliveries')
      .set((expression) => ({
        status: 'pending',
        attempts: 0,
        next_at: sql<number>`${trx.now}`,
        fence: expression('fence', '+', 1),
      }))
      .where('id', '=', deliveryId);
    if (filter.accountId !== null) query = query.where('account_id', '=', filter.accountId);
    if (filter.keyId !== null) query = query.where('api_key_id', '=', filter.keyId);
    else if (filter.mode !== null) query = query.where('api_key_id', 'in', keysOfMode(trx, filter));
    const changed = await trx.first(query.returningAll());
    if (changed === undefined) throw unknownDelivery(deliveryId);
    return changed;
  });
  return await findDelivery(database.read, row.id);
}

/** A delivery as it now stands. @throws ServiceError `not_found` */
export async function findDelivery(session: Session, deliveryId: string): Promise<DeliveryView> {
  const rows = await session.all(
    session.builder.selectFrom('webhook_deliveries').selectAll().where('id', '=', deliveryId),
  );
  const [view] = await viewAll(session, rows);
  if (view === undefined) throw unknownDelivery(deliveryId);
  return view;
}

function unknownDelivery(deliveryId: string): ServiceError {
  return new ServiceError('not_found', `There is no webhook delivery '${deliveryId.slice(0, 64)}'.`);
}

function keysOfMode(session: Session | Transaction, { accountId, mode }: Pick<DeliveryFilter, 'accountId' | 'mode'>) {
  let keys = session.builder.selectFrom('api_keys').select('id');
  if (mode !== null) keys = keys.where('mode', '=', mode);
  if (accountId !== null) keys = keys.where('account_id', '=', accountId);
  return keys;
}

function isBatchEvent({ type }: Pick<DeliveryRow, 'type'>): boolean {
  return type.startsWith('batch.');
}

async function viewAll(session: Session, rows: readonly DeliveryRow[]): Promise<DeliveryView[]> {
  if (rows.length === 0) return [];
  const attempts = await session.all(
    session.builder
      .selectFrom('webhook_attempts')
      .selectAll()
      .where(
        'delivery_id',
        'in',
        rows.map((row) => row.id),
      )
      .orderBy('id'),
  );
  return rows.map((row) => ({
    delivery_id: row.id,
    task_id: isBatchEvent(row) ? null : row.task_id,
    batch_id: isBatchEvent(row) ? row.task_id : null,
    type: row.type,
    url: row.url,
    status: row.status,
    created_at: isoTime(row.created_at),
    delivered_at: isoTime(row.delivered_at),
    next_attempt_at: isoTime(row.next_at),
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
