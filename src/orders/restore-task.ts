import type { TaskView } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Binding } from '../database/deeds.ts';
import { type FindServices, findOwnRow, findTask, taskNotFound } from '../tasks/views/find-tasks.ts';

/**
 * Takes a delayed deletion back: the task is shown again, with everything that it had. Repeating it is no fault.
 * @throws ServiceError `task_not_found` also once its time is over
 */
export async function restoreTask(
  services: FindServices,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  binding?: Binding,
): Promise<TaskView> {
  const { database, clock } = services;
  await findOwnRow(database.read, key, type, taskId);
  await database.write('restore_task', async (trx) => {
    await binding?.within(trx, taskId);
    const restored = await trx.run(
      trx.builder.deleteFrom('delayed_deletions').where('task_id', '=', taskId).where('delete_at', '>', clock.now()),
    );
    if (restored === 0) return;
    const shown = await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((set) => ({ deleted_at: null, revision: set('revision', '+', 1) }))
        .where('id', '=', taskId)
        .where('erased_at', 'is', null),
    );
    if (shown === 0) throw taskNotFound(type, taskId);
  });
  return await findTask(services, key, type, taskId);
}
