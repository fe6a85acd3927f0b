import { type DeletionView, isoTime, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Session } from '../database/database.ts';
import { isFinal } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import { findOwnRow, taskNotFound } from '../views/find-tasks.ts';
import { type EraseServices, eraseTask } from './erase-task.ts';

/**
 * Erases a final task: outputs, inputs and prompt are removed, lists omit it; ids, times, money and idempotency stay. A
 * task that is only hidden is erased too.
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function deleteTask(
  services: EraseServices,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<DeletionView> {
  const row = await findDeletable(services.database.read, key, type, taskId);
  const deletedAt = row.deleted_at ?? services.clock.now();
  await eraseTask(services, taskId, { deletedAt });
  return { task_id: taskId, deleted_at: isoTime(deletedAt) };
}

/**
 * Finds a final task that is not deleted, or is only hidden.
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function findDeletable(
  read: Session,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<ViewRow> {
  const row = await findOwnRow(read, key, type, taskId);
  if (row.deleted_at !== null && row.erased_at !== null) throw taskNotFound(type, taskId);
  if (isFinal(row.status)) return row;
  throw new ServiceError(
    'not_final',
    `The task ${taskId} is ${row.status}. Cancel it first, or wait until it is final.`,
    { param: 'task_id', retryAfterSeconds: 2 },
  );
}
