import { ServiceError } from '@darkroom-service/contract';
import type { OrderingKey, TaskServices, Transaction } from '../../kernel.ts';
import { assertNotExpired } from '../../tasks/expired-task.ts';
import { findTaskRow } from '../../tasks/views/find-tasks.ts';
import { expired, requireOutput, taskContent } from '../../tasks/views/task-content.ts';

/** Tasks that have something to show. */
interface Shareable {
  readonly first: string;
  readonly ids: readonly string[];
  /** When the last of their files expires. */
  readonly expiresAt: number;
}

/**
 * Finds a task of the key that can be shared.
 * @throws ServiceError `task_not_found`, `not_final`, `not_found` (it has no output), `outputs_expired`
 */
export async function taskToShare(
  services: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  taskId: string,
): Promise<Shareable> {
  const task = await findTaskRow(services.database.read, key, null, taskId);
  // Refuses tasks without a file to show.
  await taskContent(services, key, task.type, task.id, 'output');
  return { first: task.id, ids: [task.id], expiresAt: task.expires_at };
}

/**
 * Finds the tasks of a list that can be shared by a key that owns all of them. Errors name the position of the first
 * fault.
 * @throws ServiceError as `taskToShare`, and `invalid_request` if one is named twice
 */
export async function tasksToShare(
  { database, clock }: Pick<TaskServices, 'database' | 'clock'>,
  key: OrderingKey,
  ids: readonly string[],
): Promise<Shareable> {
  const { read } = database;
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .select(['id', 'status', 'outputs_json', 'erased_at', 'deleted_at', 'expires_at'])
      .where('id', 'in', ids)
      .where('api_key_id', '=', key.id),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  let expiresAt = 0;
  for (const [position, id] of ids.entries()) {
    const param = `task_ids[${position}]`;
    const row = found.get(id);
    if (ids.indexOf(id) < position)
      throw new ServiceError('invalid_request', `${param} is '${id.slice(0, 64)}' again. Name each task once.`, {
        param,
      });
    if (row === undefined) await assertNotExpired(read, id, key.id);
    if (row === undefined || row.deleted_at !== null)
      throw new ServiceError('task_not_found', `${param}: this API key has no task '${id.slice(0, 64)}'.`, { param });
    if (row.erased_at !== null || row.expires_at <= clock.now()) throw expired(param);
    requireOutput(row, param);
    expiresAt = Math.max(expiresAt, row.expires_at);
  }
  return { first: ids[0] ?? '', ids, expiresAt };
}

/**
 * Keeps tasks from being erased until the end of the transaction, so that an erasure finds the link. It locks the same
 * way: the tasks, then the links of the key.
 * @throws ServiceError `outputs_expired` if one was erased meanwhile
 */
export async function assertUnerased(trx: Transaction, ids: readonly string[]): Promise<void> {
  const rows = await trx.all(
    trx.builder
      .selectFrom('tasks')
      .select('id')
      .where('id', 'in', ids)
      .where('erased_at', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .forUpdate(),
  );
  const left = new Set(rows.map(({ id }) => id));
  const position = ids.findIndex((id) => !left.has(id));
  if (position >= 0) throw expired(ids.length === 1 ? 'task_id' : `task_ids[${position}]`);
}

/** Returns the tasks that links to several tasks show now, by link, in their order. Links to one task are left out. */
export async function listedTasks(
  { database, clock }: Pick<TaskServices, 'database' | 'clock'>,
  shareIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { read } = database;
  const listed = new Map<string, string[]>();
  if (shareIds.length === 0) return listed;
  const rows = await read.all(
    read.builder
      .selectFrom('share_tasks')
      .innerJoin('tasks', 'tasks.id', 'share_tasks.task_id')
      .select(['share_id', 'task_id'])
      .where('share_id', 'in', shareIds)
      .where('erased_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where('tasks.expires_at', '>', clock.now())
      .orderBy('share_id')
      .orderBy('position'),
  );
  for (const { share_id: id, task_id: taskId } of rows) {
    const tasks = listed.get(id);
    if (tasks === undefined) listed.set(id, [taskId]);
    else tasks.push(taskId);
  }
  return listed;
}
