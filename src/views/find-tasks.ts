import { cutText, ServiceError, type TaskView } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import { isBatch } from '../accounts/list-ledger.ts';
import { isOwn, type Owner } from '../accounts/scope.ts';
import type { Session } from '../database/database.ts';
import { prepare, prepareTaskCount } from '../database/prepared.ts';
import type { QueueGroup, QueuePlace } from '../queue/fair-queue.ts';
import { hasPlace, IN_QUEUE } from '../queue/gates.ts';
import { assertNotExpired } from '../record/expired-task.ts';
import { VIEW_COLUMNS, type ViewRow } from '../record/task-columns.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { readGroups, readWaitingFor, type ViewServices, viewTask } from './task-view.ts';

export type TaskType = 'image' | 'video';

const POSITIONS_COUNTED = 100;

const selectTask = prepare<{ id: string; key: string }, ViewRow>('find_task', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(VIEW_COLUMNS)
    .where('id', '=', argument('id'))
    .where('api_key_id', '=', argument('key')),
);

const selectRevision = prepare<{ id: string; key: string }, Pick<ViewRow, 'revision'>>(
  'find_task_revision',
  (builder, argument) =>
    builder
      .selectFrom('tasks')
      .select('revision')
      .where('id', '=', argument('id'))
      .where('api_key_id', '=', argument('key')),
);

interface PositionArguments {
  queue: string;
  rank: number;
  id: string;
}

const countAhead = prepareTaskCount<PositionArguments>('queue_ahead', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('queue', '=', argument('queue'))
    .where('step', '=', sql.lit('waiting'))
    .where('claimable', '=', sql.lit(1))
    // Compared as a row value, so that the index is read only up to it.
    .where(sql<boolean>`(rank, id) < (${argument('rank')}, ${argument('id')})`)
    .limit(POSITIONS_COUNTED),
);

const selectFront = prepare<{ queue: string }, QueuePlace>('queue_front', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['rank', 'id'])
    .where('queue', '=', argument('queue'))
    .where('step', '=', sql.lit('waiting'))
    .where('claimable', '=', sql.lit(1))
    .orderBy('rank')
    .orderBy('id')
    .limit(POSITIONS_COUNTED),
);

const countBlockedAhead = prepareTaskCount<{ key: string; rank: number }>('queue_blocked_ahead', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('api_key_id', '=', argument('key'))
    .where('status', '=', sql.lit('queued'))
    .where('claimable', '=', sql.lit(0))
    .where(IN_QUEUE)
    .where('rank', '<', argument('rank'))
    .limit(POSITIONS_COUNTED),
);

/** The services that find and show a task. */
export type FindServices = ViewServices & Pick<TaskServices, 'database'>;

/**
 * Returns a task of this key.
 * @param type null = either
 * @throws ServiceError `task_expired`; `task_not_found`, also for another key's task, a deleted one, and one of the
 * other type.
 */
export async function findTask(
  services: FindServices,
  key: OrderingKey,
  type: TaskType | null,
  taskId: string,
): Promise<TaskView> {
  return await viewFoundTask(services, key, await findTaskRow(services.database.read, key, type, taskId));
}

/** Returns the view of a found task for its caller, with its position in the queue. */
export async function viewFoundTask(services: FindServices, key: OrderingKey, row: ViewRow): Promise<TaskView> {
  const { read } = services.database;
  const [position, waitingFor, groups] = await Promise.all([
    queuePosition(read, key.id, row),
    readWaitingFor(services, read, [row]),
    readGroups(services, read, [row]),
  ]);
  return viewTask(services, key, row, position, { waitingFor: waitingFor.get(row.id), group: groups.get(row.id) });
}

/** Returns the row of a task. @throws ServiceError `task_not_found`, `task_expired` */
export async function findTaskRow(
  session: Session,
  owner: Owner,
  type: TaskType | null,
  taskId: string,
): Promise<ViewRow> {
  const row = await findOwnRow(session, owner, type, taskId);
  if (row.deleted_at !== null) throw taskNotFound(type, taskId);
  return row;
}

/**
 * Finds the row behind a task, also of a deleted one, which may have more than a tombstone.
 * @throws ServiceError as `findTaskRow`
 */
export async function findOwnRow(
  session: Session,
  owner: Owner,
  type: TaskType | null,
  taskId: string,
): Promise<ViewRow> {
  const row = await findRowOrTombstone(session, owner, taskId);
  // The ledger knows no end users, so a client token learns nothing of removed tasks.
  if (row === undefined && owner.client === undefined) await assertNotExpired(session, taskId, owner.id);
  if (row === undefined || (type !== null && row.type !== type)) throw taskNotFound(type, taskId, row);
  return row;
}

/** Returns the error for a task that was not found. @param row the task of the other type that has the id */
export function taskNotFound(type: TaskType | null, taskId: string, row?: ViewRow): ServiceError {
  const hint =
    row !== undefined && row.deleted_at === null
      ? ` It is ${row.type === 'image' ? 'an image' : 'a video'}: GET /v1/${row.type}s/${row.id}.`
      : '';
  return new ServiceError(
    'task_not_found',
    `This API key has no ${type ?? 'image'} task '${cutText(taskId, 64)}'.${hint}`,
    { param: 'task_id' },
  );
}

/** Returns the revision of a task of the key, deleted or not; null if the key has none of this id. */
export async function findRevision(session: Session, { id: key }: Owner, taskId: string): Promise<number | null> {
  return (await session.first(selectRevision, { id: taskId, key }))?.revision ?? null;
}

/** Returns the row of a task or of its tombstone; undefined if the caller never had it. */
export async function findRowOrTombstone(session: Session, owner: Owner, taskId: string): Promise<ViewRow | undefined> {
  const row = await session.first(selectTask, { id: taskId, key: owner.id });
  return row !== undefined && isOwn(owner, row) ? row : undefined;
}

/** Returns the position in the queue: 1 = next; null beyond a hundred and for tasks that no longer wait. */
export async function queuePosition(
  session: Session,
  keyId: string,
  row: Pick<ViewRow, 'id' | 'step' | 'gates' | 'rank' | 'claimable' | 'queue'>,
): Promise<number | null> {
  if (row.step !== 'waiting' || !hasPlace(row)) return null;
  const blocked =
    row.claimable === 1 ? 0 : ((await session.first(countBlockedAhead, { key: keyId, rank: row.rank }))?.count ?? 0);
  if (blocked >= POSITIONS_COUNTED) return null;
  const ahead = (await session.first(countAhead, { queue: row.queue, rank: row.rank, id: row.id }))?.count ?? 0;
  const position = ahead + blocked + 1;
  return position <= POSITIONS_COUNTED ? position : null;
}

/**
 * Returns the position of a new order in its queue. The first order of its group is counted; if it is beyond a hundred,
 * so are those that follow it. Otherwise the front of the queue is read once for all of them.
 */
export async function positionInGroup(
  session: Session,
  keyId: string,
  row: ViewRow,
  group: Pick<QueueGroup, 'counted' | 'front'>,
): Promise<number | null> {
  const { counted } = group;
  if (counted === null) {
    const position = queuePosition(session, keyId, row);
    group.counted = { rank: row.rank, claimable: row.claimable, position };
    return await position;
  }
  const follows = counted.claimable === row.claimable && counted.rank <= row.rank;
  if (follows && (await counted.position) === null) return null;
  if (row.claimable === 0) return await queuePosition(session, keyId, row);
  group.front ??= session.all(selectFront, { queue: row.queue });
  const ahead = (await group.front).filter(({ rank, id }) => rank < row.rank || (rank === row.rank && id < row.id));
  return ahead.length < POSITIONS_COUNTED ? ahead.length + 1 : null;
}

/**
 * Returns the key that ordered a task or a batch, if it is of the caller's account and mode. For callers whose right to
 * see the whole account was proved.
 * @throws ServiceError `task_not_found` or `not_found`
 */
export async function ownerInAccount(
  session: Session,
  { account, mode }: OrderingKey,
  what: 'order' | 'batch',
  id: string,
): Promise<OrderingKey> {
  const { builder } = session;
  // One hold covers all orders of a batch.
  const row = await session.first(
    what === 'order'
      ? builder.selectFrom('tasks').select('api_key_id').where('id', '=', id)
      : builder
          .selectFrom('ledger')
          .select('api_key_id')
          .where('task_id', '=', isBatch(id) ? id : ''),
  );
  const owner = row?.api_key_id == null ? null : await findKeyById(session, row.api_key_id);
  if (owner?.mode === mode && owner.account.id === account.id) return { ...owner, mode: owner.mode };
  const code = what === 'order' ? 'task_not_found' : 'not_found';
  throw new ServiceError(code, `This account has no ${what} '${cutText(id, 64)}' in ${mode} mode.`);
}

/** A further way in which the text of a search can name orders, such as the request that placed one. */
export interface NamedOrders {
  readonly by: 'request';
  /** Returns the ids of the orders; empty if the text names none. */
  readonly find: (session: Session, text: string) => Promise<readonly string[]>;
}
