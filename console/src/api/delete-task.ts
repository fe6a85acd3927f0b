import { perform } from './deeds.ts';
import { typeOfTask } from './task-cache.ts';

/**
 * Deletes an order that has ended, with its files.
 * @param after seconds for which the deletion can be taken back
 * @throws ApiError
 */
export async function deleteTask(taskId: string, after: number): Promise<void> {
  const request = { path: { task_id: taskId }, query: { after } };
  if (typeOfTask(taskId) === 'video') await perform('DELETE /v1/videos/{task_id}', request);
  else await perform('DELETE /v1/images/{task_id}', request);
}

/** Takes a deletion back. @param title names it in the list of orders @throws ApiError */
export async function restoreTask(taskId: string, title: string): Promise<void> {
  const path = { task_id: taskId };
  if (typeOfTask(taskId) === 'video') await perform('POST /v1/videos/{task_id}/restore', { path }, title);
  else await perform('POST /v1/images/{task_id}/restore', { path }, title);
}
