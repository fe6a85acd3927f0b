import { isoTime } from '@darkroom-service/contract/clock';
import { ServiceError } from '@darkroom-service/contract/errors';
import type { DeletionView } from '@darkroom-service/contract/task';
import type { OrderingKey } from '../accounts/api-key.ts';
import { eraseTask } from '../tasks/erase-task.ts';
import { isFinal } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTaskRow } from '../tasks/views/find-tasks.ts';

/**
 * Erases a final task: outputs, inputs and prompt go, lists leave it out; ids, times, money and idempotency stay.
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function deleteTask(
  services: Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'storage' | 'wakeReleaser'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<DeletionView> {
  const row = await findTaskRow(services.database.read, key, type, taskId);
  if (!isFinal(row.status)) {
    throw new ServiceError(
      'not_final',
      `The task ${taskId} is ${row.status}. Cancel it first, or wait until it is final.`,
      { param: 'task_id', retryAfterSeconds: 2 },
    );
  }
  const deletedAt = services.clock.now();
  await eraseTask(services, taskId, { deletedAt });
  return { task_id: taskId, deleted_at: isoTime(deletedAt) };
}
