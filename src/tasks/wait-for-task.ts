import type { OrderingKey } from '../accounts/api-key.ts';
import type { Desk } from './desk.ts';
import { findTask } from './find-tasks.ts';
import { isFinal } from './task.ts';
import type { TaskView } from './task-view.ts';

/** What other processes change is seen this much later at most. */
const ASK_AGAIN_MS = 1000;

/**
 * The task once it is final, or as it stands when the time is up or the caller has gone.
 * @throws ServiceError `task_not_found`
 */
export async function waitForTask(
  desk: Desk,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  options: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<TaskView> {
  const end = performance.now() + options.seconds * 1000;
  for (;;) {
    const change = new AbortController();
    // Listening begins before reading, so that no change falls between the two.
    const changed = desk.events.nextChange(taskId, {
      timeoutMs: ASK_AGAIN_MS,
      signal: AbortSignal.any([change.signal, options.signal]),
    });
    const task = await findTask(desk, key, type, taskId);
    if (isFinal(task.status) || options.signal.aborted || performance.now() >= end) {
      change.abort();
      return task;
    }
    const timer = setTimeout(() => change.abort(), end - performance.now());
    await changed;
    clearTimeout(timer);
  }
}
