import { perform } from './deeds.ts';
import { typeOfTask } from './task-cache.ts';

/** Deletes an order that has ended, with its files. @throws ApiError */
export async function deleteTask(taskId: string): Promise<void> {
  const path = { task_id: taskId };
  if (typeOfTask(taskId) === 'video') await perform('DELETE /v1/videos/{task_id}', { path });
  else await perform('DELETE /v1/images/{task_id}', { path });
}
