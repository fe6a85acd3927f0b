import { deleteTask, restoreTask } from '../../api/delete-task.ts';
import { beginChange, noteChange } from '../../api/undo.ts';
import { historyTexts } from '../../texts/history.ts';
import { forgetTask, showTaskAgain } from './use-history.ts';

/** How long the service keeps deleted orders, so that they can be restored. */
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
      await deleteTask(taskId, RESTORABLE_SECONDS);
      forgetTask(taskId);
      deleted.push(taskId);
      onDeleted?.(deleted.length);
    }
  } finally {
    if (deleted.length > 0)
      noteChange(historyTexts.wall.deleted(deleted.length), () => restore(deleted), RESTORABLE_SECONDS * 1000);
  }
}

async function restore(taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    await restoreTask(taskId, historyTexts.wall.restoring);
    showTaskAgain(taskId);
  }
}
