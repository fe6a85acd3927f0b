import { cutText, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey, Schema, Transaction } from '@darkroom-service/darkroom/kernel';
import { assertNotExpired } from '@darkroom-service/darkroom/kernel-views';
import type { Selectable } from 'kysely';

type ShareRow = Selectable<Schema['shares']>;

/** Tasks that have something to show. */
interface Shareable {
  /** Ids in the order of the page; never empty. */
  readonly ids: readonly string[];
  /** Time when the last of the tasks' files expires. */
  readonly expiresAt: number;
}

/**
 * Finds a task of the key that can be shared.
 * @throws ServiceError `task_not_found`, `not_final`, `not_found` (it has no output), `outputs_expired`
 */
export async function taskToShare(
  { tasks }: Pick<Kernel, 'tasks'>,
  key: OrderingKey,
  taskId: string,
): Promise<Shareable> {
  const task = await tasks.row(key, null, taskId);
  // Refuses tasks without a file to show.
  await tasks.content(key, task.type, task.id, 'output');
  return { ids: [task.id], expiresAt: task.expires_at };
}

/**
 * Finds the tasks of a list that can be shared by a key that owns all of them. Errors name the position of the first
 * fault.
 * @throws ServiceError as `taskToShare`, and `invalid_request` if one is named twice
 */
export async function tasksToShare(
  { clock, outputs, store }: Pick<Kernel, 'clock' | 'outputs' | 'store'>,
  key: OrderingKey,
  ids: readonly string[],
): Promise<Shareable> {
  const { read } = store;
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
      throw new ServiceError('invalid_request', `${param} is '${cutText(id, 64)}' again. Name each task once.`, {
        param,
      });
    if (row === undefined) await assertNotExpired(read, id, key.id);
    if (row === undefined || row.deleted_at !== null)
      throw new ServiceError('task_not_found', `${param}: this API key has no task '${cutText(id, 64)}'.`, { param });
    if (row.erased_at !== null || row.expires_at <= clock.now()) throw outputs.expired(param);
    outputs.require(row, param);
    expiresAt = Math.max(expiresAt, row.expires_at);
  }
  return { ids, expiresAt };
}

/**
 * Keeps tasks from being erased until the end of the transaction, so that an erasure finds their rows.
 * @throws ServiceError `outputs_expired` if one was erased meanwhile
 */
export async function assertUnerased(
  { outputs }: Pick<Kernel, 'outputs'>,
  trx: Transaction,
  ids: readonly string[],
): Promise<void> {
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
  if (position >= 0) throw outputs.expired(ids.length === 1 ? 'task_id' : `task_ids[${position}]`);
}

/** A link of a key. */
export interface SharedLink extends Pick<ShareRow, 'id' | 'shows_prompt' | 'created_at' | 'expires_at'> {
  /** Tasks that it shows now, in their order; its first one if it shows none at the moment. Never empty. */
  readonly tasks: readonly string[];
}

/** Reads links of a key that have not expired, newest first. */
export async function readLinks(
  { clock, store }: Pick<Kernel, 'clock' | 'store'>,
  keyId: string,
  shareIds: readonly string[],
): Promise<SharedLink[]> {
  if (shareIds.length === 0) return [];
  const { read } = store;
  const now = clock.now();
  const rows = await read.all(
    read.builder
      .selectFrom('shares')
      .leftJoin('tasks', (join) =>
        join
          .onRef('tasks.id', '=', 'shares.task_id')
          .on('erased_at', 'is', null)
          .on('deleted_at', 'is', null)
          .on('tasks.expires_at', '>', now),
      )
      .selectAll('shares')
      .select('tasks.id as shown')
      .where('shares.id', 'in', shareIds)
      .where('shares.api_key_id', '=', keyId)
      .where('shares.expires_at', '>', now)
      .orderBy('shares.id', 'desc')
      .orderBy('position'),
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const shown = [first, ...others].flatMap((row) => row.shown ?? []);
    return [{ ...first, tasks: shown.length === 0 ? [first.task_id] : shown }];
  });
}
