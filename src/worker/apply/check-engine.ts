import { shortageOf } from '../../base/machine-fault.ts';
import type { Checked } from '../../engines/engine.ts';
import { noteProgress } from '../../tasks/move-task.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { operationOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import { timeCall } from '../time-call.ts';
import type { WorkerServices } from '../worker-services.ts';
import { type Attempt, readOrder } from './attempt.ts';
import { configuredEngine, isGone, isInterruption } from './call-engine.ts';
import { asEngineError, logFault, tellCircuit } from './report-fault.ts';

const PROGRESS_EVERY_MS = 500;

/** Calls `check` of the engine, and passes on a cancel. */
export async function checkEngine(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  if (task.operation_json === null) throw new Error(`the ${task.step} task ${task.id} has no operation`);
  const operation = operationOf(task);
  const engine = configuredEngine(work, task);
  held.setResumable(true);
  held.signal.throwIfAborted();
  const order = await readOrder(attempt);
  const progress = progressNotes(work, task);
  const cancelRequested = task.cancel_requested_at !== null;
  const context = { signal: held.signal, onProgress: progress.note, cancelRequested };
  // Only the check shows the order's state: an engine may refuse to cancel a finished order.
  const notTaken = (error: unknown) =>
    work.services.log.warn({ err: error, task_id: task.id }, 'engine rejected the cancellation');
  const cancel = async () => await engine.cancel?.(operation, order, context).catch(notTaken);
  let checked: Checked;
  try {
    held.onCancel = () => void cancel();
    if (cancelRequested) await cancel();
    checked = await timeCall(work.services, task, engine, 'check', held.signal, () =>
      engine.check(operation, order, context),
    );
  } catch (error) {
    if (isGone(error) && !held.signal.aborted) return { type: 'file_gone' };
    if (isInterruption(error, held) || shortageOf(error) !== null) throw error;
    const fields = { err: error, attempts: task.attempts + 1 };
    logFault(work, task, engine, fields, 'could not check the order at the engine');
    await tellCircuit(work, task, engine, 'check', error);
    return { type: 'check_failed', fault: asEngineError(error, engine) };
  } finally {
    held.onCancel = undefined;
    await progress.settled();
  }
  await work.circuits.succeeded(engine.name, 'check');
  return { type: 'checked', checked };
}

/** Stores the progress that an engine reports, at most twice a second and one write at a time. */
function progressNotes(work: WorkerServices, task: TaskRow) {
  let noted = task.progress;
  let notedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  return {
    note(progress: number) {
      const now = performance.now();
      if (Math.floor(progress) <= noted || now - notedAt < PROGRESS_EVERY_MS) return;
      noted = Math.floor(progress);
      notedAt = now;
      writing = writing.then(() => noteProgress(work.services, task, progress)).catch(() => {});
    },
    settled: () => writing,
  };
}
