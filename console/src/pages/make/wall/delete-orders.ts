import { perform } from '../../../api/deeds.ts';
import { onTask } from '../../../api/task-cache.ts';
import { beginChange, noteChange } from '../../../api/undo.ts';
import { formatMany } from '../../../format.ts';
import { forgetTask, showTaskAgain } from './use-history.ts';

/** Seconds for which the service keeps deleted orders, so that they can be restored. */
const RESTORABLE_SECONDS = 600;

/** Deletes orders that have ended. They can be restored for some minutes. @throws ApiError */
export function deleteOrders(taskIds: readonly string[], onDeleted?: (done: number) => void): Promise<void> {
  const done = deleteEach(taskIds, onDeleted);
  beginChange(done);
  return done;
}

async function deleteEach(taskIds: readonly string[], onDeleted?: (done: number) => void): Promise<void> {
  const deleted: string[] = [];
  try {
    for (const taskId of taskIds) {
      const request = { path: { task_id: taskId }, query: { after: RESTORABLE_SECONDS } };
      await perform(onTask('DELETE /v1/images/{task_id}', taskId), request);
      forgetTask(taskId);
      deleted.push(taskId);
      onDeleted?.(deleted.length);
    }
  } finally {
    if (deleted.length > 0)
      noteChange(
        `${formatMany(deleted.length, 'order')} deleted. Undo works for 10 minutes.`,
        () => restore(deleted),
        RESTORABLE_SECONDS * 1000,
      );
  }
}

async function restore(taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    const action = onTask('POST /v1/images/{task_id}/restore', taskId);
    await perform(action, { path: { task_id: taskId } }, 'Restore a deleted order');
    showTaskAgain(taskId);
  }
}
