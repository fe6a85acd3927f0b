import type { Desk } from './desk.ts';
import { taskFileKey } from './task.ts';

/**
 * Erases what a final task holds of its customer: first the row, so that nothing is shown any more, then the files. Files that a kill
 * leaves behind are found by the sweep, as no row names them.
 * @param options.deletedAt set when the customer wished it; null when the task has merely aged.
 */
export async function eraseTask(
  desk: Desk,
  taskId: string,
  options: { readonly deletedAt: number | null },
): Promise<void> {
  await desk.database.write('erase_task', async (trx) => {
    const task = await trx.first(
      trx.builder
        .selectFrom('tasks')
        .select(['model_id', 'parent_task_id', 'action', 'erased_at'])
        .where('id', '=', taskId),
    );
    if (task === undefined) return;
    const { model_id, parent_task_id, action } = task;
    const input = action === null ? { model_id } : { model_id, parent_task_id, action };
    await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          input_json: JSON.stringify(input),
          request_json: '{}',
          media_json: null,
          outputs_json: '[]',
          keep_json: null,
          operation_json: null,
          metadata_json: '{}',
          end_user: null,
          erased_at: task.erased_at ?? desk.clock.now(),
          ...(options.deletedAt === null ? {} : { deleted_at: options.deletedAt }),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', taskId)
        .where('step', '=', 'final'),
    );
  });
  await removeFiles(desk, taskId);
}

/** Removes all files of a task, whichever claim stored them. */
async function removeFiles(desk: Desk, taskId: string): Promise<void> {
  const prefix = taskFileKey(taskId, 0, '').slice(0, -'0-'.length);
  const keys: string[] = [];
  for await (const { key } of desk.storage.list(prefix)) keys.push(key);
  for (const key of keys) await desk.storage.remove(key);
}
