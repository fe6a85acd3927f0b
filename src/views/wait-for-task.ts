import type { OrderingKey } from '../accounts/api-key.ts';
import { isFinal } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TaskView } from '../wire/task.ts';
import { findTaskRow, viewFoundTask } from './find-tasks.ts';
import type { ViewServices } from './task-view.ts';

/**
 * The task once it is final, or as it stands when the time is up or the caller has gone.
 * @throws ServiceError `task_not_found`
 */
export async function waitForTask(
  services: ViewServices & Pick<TaskServices, 'database' | 'events'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  options: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<TaskView> {
  const end = performance.now() + options.seconds * 1000;
  // Following begins before reading, so that no change falls between the two.
  const watch = services.events.watch(taskId);
  try {
    for (;;) {
      const endTurn = await services.events.reads.take(key.id);
      let revision: number;
      let left: number;
      try {
        const row = await findTaskRow(services.database.read, key, type, taskId);
        revision = row.revision;
        left = end - performance.now();
        if (isFinal(row.status) || options.signal.aborted || left <= 0) return await viewFoundTask(services, key, row);
      } finally {
        endTurn();
      }
      await watch.next(revision, { timeoutMs: left, signal: options.signal });
    }
  } finally {
    watch.close();
  }
}
