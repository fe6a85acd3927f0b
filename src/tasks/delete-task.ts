import type { OrderingKey } from '../accounts/api-key.ts';
import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Desk } from './desk.ts';
import { eraseTask } from './erase-task.ts';
import { findTaskRow } from './find-tasks.ts';
import { isFinal } from './task.ts';

/**
 * Erases a final task: outputs, inputs and prompt go, lists leave it out; ids, times, money and idempotency stay.
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function deleteTask(
  desk: Desk,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<{ readonly task_id: string; readonly deleted_at: string }> {
  const row = await findTaskRow(desk.database.read, key.id, type, taskId);
  if (!isFinal(row.status)) {
    throw new ServiceError(
      'not_final',
      `The task ${taskId} is ${row.status}. Cancel it first, or wait until it is final.`,
      { param: 'task_id', retryAfterSeconds: 2 },
    );
  }
  const deletedAt = desk.clock.now();
  await eraseTask(desk, taskId, { deletedAt });
  return { task_id: taskId, deleted_at: isoTime(deletedAt) };
}
