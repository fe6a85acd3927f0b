import { perform } from '../../../api/deeds.ts';
import { typeOfTask } from '../../../api/task-cache.ts';
import { beginChange, noteChange } from '../../../api/undo.ts';
import { historyTexts } from '../../../texts/history.ts';
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
    await restoreTask(taskId, 'Restore a deleted order');
    showTaskAgain(taskId);
  }
}

/**
 * Deletes an order that has ended, with its files.
 * @param after seconds for which the deletion can be taken back
 * @throws ApiError
 */
async function deleteTask(taskId: string, after: number): Promise<void> {
  const request = { path: { task_id: taskId }, query: { after } };
  if (typeOfTask(taskId) === 'video') await perform('DELETE /v1/videos/{task_id}', request);
  else await perform('DELETE /v1/images/{task_id}', request);
}

/** Takes a deletion back. @param title names it in the list of orders @throws ApiError */
async function restoreTask(taskId: string, title: string): Promise<void> {
  const path = { task_id: taskId };
  if (typeOfTask(taskId) === 'video') await perform('POST /v1/videos/{task_id}/restore', { path }, title);
  else await perform('POST /v1/images/{task_id}/restore', { path }, title);
}
