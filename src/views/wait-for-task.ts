import { type TaskView, world } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isFinal } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import type { TaskEnd, TaskServices } from '../tasks/task-services.ts';
import { findTaskRow, viewFoundTask } from './find-tasks.ts';
import { type ViewServices, viewTask, type WrittenJson } from './task-view.ts';

/** Time that a request waits for a task, and its abort. */
export interface WaitOptions {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the task once it is final, or as it is when the time is up or the caller has gone.
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
 * Waits like `waitForTask` for a task that this request has just placed. Nothing is read if this process settles it and
 * nobody has changed it in between.
 */
export async function waitForPlaced(
  services: ViewServices & Pick<TaskServices, 'database' | 'events'>,
  key: OrderingKey,
  placed: { readonly row: ViewRow; readonly written: WrittenJson },
  options: WaitOptions,
): Promise<TaskView> {
  const { type, id } = placed.row;
  const { row, end } = await waitForEnd(services, key, type, id, { ...options, known: placed.row });
  // Every change that a view shows raises the revision, except for a change of a delivery.
  if (end !== null && row === placed.row && end.revision === row.revision + 1 && row.deliver_json === null)
    return viewEnd(services, key, placed, end);
  return await inTurn(services, key, async () =>
    viewFoundTask(services, key, end === null ? row : await findTaskRow(services.database.read, key, type, id)),
  );
}

/** Shows a task as its settlement has left the row that was placed. */
function viewEnd(
  services: ViewServices,
  key: OrderingKey,
  { row, written }: { readonly row: ViewRow; readonly written: WrittenJson },
  end: TaskEnd,
): TaskView {
  const { status, revision, progress, error_json, lines_json, warnings_json, charged } = end;
  const ended = { status, revision, progress, error_json, warnings_json, charged, completed_at: end.completedAt };
  const outputs = end.isKept ? end.outputs.map((output) => ({ ...output, isKept: true as const })) : end.outputs;
  return viewTask(services, key, { ...row, ...ended, step: 'final', lines_json: lines_json ?? row.lines_json }, null, {
    input: written.input,
    metadata: written.metadata,
    lines: lines_json === null ? written.lines : null,
    outputs,
  });
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
  const until = world.monotonic() + options.seconds * 1000;
  // Following begins before reading, so that no change falls between the two.
  const watch = services.events.watch(taskId, { untilEnd: true });
  try {
    for (let row = known; ; row = undefined) {
      row ??= await inTurn(services, key, () => findTaskRow(services.database.read, key, type, taskId));
      const left = until - world.monotonic();
      if (isFinal(row.status) || options.signal.aborted || left <= 0) return { row, end: null };
      const end = await watch.next(row.revision, { timeoutMs: left, signal: options.signal });
      if (end !== undefined) return { row, end };
    }
  } finally {
    watch.close();
  }
}

/** Reads in the key's turn: hundreds of requests may be woken at once. */
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
