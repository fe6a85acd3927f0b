import { type DeletionView, isoTime, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { eraseTask } from '../tasks/erase-task.ts';
import { isFinal } from '../tasks/task.ts';
import type { ViewRow } from '../tasks/task-columns.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findOwnRow, taskNotFound } from '../tasks/views/find-tasks.ts';

type DeleteServices = Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'parentGate' | 'storage' | 'wakeWork'>;

/**
 * Erases a final task: outputs, inputs and prompt go, lists leave it out; ids, times, money and idempotency stay. With
 * a delay it is left out at once and erased later, and can be restored until then. Without one, a task whose deletion
 * is delayed is erased now.
 * @param delaySeconds null = erase now
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function deleteTask(
  services: DeleteServices,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  delaySeconds: number | null = null,
): Promise<DeletionView> {
  const row = await findOwnRow(services.database.read, key, type, taskId);
  const isDelayed = row.deleted_at !== null && row.erased_at === null;
  if (row.deleted_at !== null && !isDelayed) throw taskNotFound(type, taskId);
  if (!isFinal(row.status)) {
    throw new ServiceError(
      'not_final',
      `The task ${taskId} is ${row.status}. Cancel it first, or wait until it is final.`,
      { param: 'task_id', retryAfterSeconds: 2 },
    );
  }
  const now = services.clock.now();
  // Nothing is left that could come back.
  if (delaySeconds !== null && row.erased_at === null)
    return await deleteLater(services, row, now, delaySeconds * 1000);
  const deletedAt = row.deleted_at ?? now;
  await eraseTask(services, taskId, { deletedAt });
  return { task_id: taskId, deleted_at: isoTime(deletedAt) };
}

/** Hides the task. A repetition changes nothing and answers the time that holds. */
async function deleteLater(
  { database }: DeleteServices,
  { id, type }: Pick<ViewRow, 'id' | 'type'>,
  now: number,
  delayMs: number,
): Promise<DeletionView> {
  return await database.write('delete_later', async (trx) => {
    const { builder } = trx;
    await trx.run(
      builder
        .insertInto('delayed_deletions')
        .values({ task_id: id, delete_at: now + delayMs })
        .onConflict((conflict) => conflict.column('task_id').doNothing()),
    );
    await trx.run(
      builder
        .updateTable('tasks')
        .set((set) => ({ deleted_at: now, revision: set('revision', '+', 1) }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('erased_at', 'is', null),
    );
    const delayed = await trx.first(
      builder
        .selectFrom('delayed_deletions')
        .innerJoin('tasks', 'tasks.id', 'delayed_deletions.task_id')
        .select(['deleted_at', 'delete_at'])
        .where('task_id', '=', id)
        .where('erased_at', 'is', null),
    );
    // Somebody else erased it meanwhile: the row must not stay.
    if (delayed === undefined || delayed.deleted_at === null) throw taskNotFound(type, id);
    return { task_id: id, deleted_at: isoTime(delayed.deleted_at), delete_at: isoTime(delayed.delete_at) };
  });
}
