import type { TaskView } from '@darkroom-service/contract/task';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { isFinal } from '../task.ts';
import type { ViewRow } from '../task-columns.ts';
import type { TaskEnd, TaskServices } from '../task-services.ts';
import { findTaskRow, viewFoundTask } from './find-tasks.ts';
import type { ViewServices } from './task-view.ts';

interface WaitOptions {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/**
 * The task once it is final, or as it stands when the time is up or the caller has gone.
 * @throws ServiceError `task_not_found`
 */
export async function waitForTask(
  services: ViewServices & Pick<TaskServices, 'database' | 'events'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  options: WaitOptions,
): Promise<TaskView> {
  const { row, end } = await waitForEnd(services, key, type, taskId, options);
  return await inTurn(services, key, async () =>
    viewFoundTask(services, key, end === null ? row : await findTaskRow(services.database.read, key, type, taskId)),
  );
}

/**
 * Waits like `waitForTask`.
 * @param options.known the row as the caller has it from this turn of the event loop: it is not read first
 * @returns the row as it was last read, and how the task ended after that if this process ended it
 * @throws ServiceError `task_not_found`
 */
export async function waitForEnd(
  services: Pick<TaskServices, 'database' | 'events'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  { known, ...options }: WaitOptions & { readonly known?: ViewRow | undefined },
): Promise<{ readonly row: ViewRow; readonly end: TaskEnd | null }> {
  const until = performance.now() + options.seconds * 1000;
  // Following begins before reading, so that no change falls between the two.
  const watch = services.events.watch(taskId, { untilEnd: true });
  try {
    for (let row = known; ; row = undefined) {
      row ??= await inTurn(services, key, () => findTaskRow(services.database.read, key, type, taskId));
      const left = until - performance.now();
      if (isFinal(row.status) || options.signal.aborted || left <= 0) return { row, end: null };
      const end = await watch.next(row.revision, { timeoutMs: left, signal: options.signal });
      if (end !== undefined) return { row, end };
    }
  } finally {
    watch.close();
  }
}

/** Reads when it is the key's turn: hundreds of requests may be woken at once. */
async function inTurn<Found>(
  { events }: Pick<TaskServices, 'events'>,
  key: OrderingKey,
  read: () => Promise<Found>,
): Promise<Found> {
  const endTurn = await events.reads.take(key.id);
  try {
    return await read();
  } finally {
    endTurn();
  }
}
