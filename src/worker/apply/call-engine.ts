import type { JsonValue } from '../../base/canonical-json.ts';
import { shortageOf } from '../../base/machine-fault.ts';
import { type Checked, type Engine, EngineError, type Order, type Started } from '../../engines/engine.ts';
import { routeCircuit } from '../../routing/circuit.ts';
import { StorageError } from '../../storage/storage.ts';
import { LostClaim, noteProgress } from '../../tasks/move-task.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { operationOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Answer, UpstreamJob } from '../spool/answer.ts';
import { orderOf } from '../task-order.ts';
import type { Held, WorkerServices } from '../worker-services.ts';
import type { Attempt } from './attempt.ts';
import { asEngineError, logFault, tellCircuit } from './report-fault.ts';

const PROGRESS_EVERY_MS = 500;

/** Submits the order, or submits it again under the same task id. The engine's answer is kept in memory until it is stored. */
export async function callEngine(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  const { signal } = held;
  const engine = configuredEngine(attempt);
  const circuit = routeCircuit(attempt.route);
  const order = await orderOf(attempt);
  attempt.order = order;
  if (attempt.isResubmission) held.setResumable(engine.repeatable === true);
  work.unsent.forget(task.id);
  const endCall = work.load.begin(engine, circuit);
  let started: Started;
  try {
    started = await timeCall(attempt, engine, 'start', () =>
      engine.start(order, { signal, onProgress: () => {} }),
    ).catch((error: unknown) => {
      endCall('failed');
      throw error;
    });
    endCall('took it');
    work.answers.add(task, engine.name, answerOf(started, engine, order));
  } catch (error) {
    if (error instanceof StorageError && !signal.aborted) return afterUnreadFile(attempt, error);
    if (isInterruption(error, held)) throw error;
    return await afterFault(attempt, engine, error);
  }
  work.load.succeeded(engine);
  await work.circuits.succeeded(engine.name, 'start');
  await work.circuits.succeeded(circuit, 'start');
  if ('done' in started) return { type: 'answered', kind: 'delivery' };
  return { type: 'answered', kind: 'operation', checkAfterMs: started.checkAfterMs ?? null };
}

/** Calls `check` of the engine, and passes on a cancel. */
export async function checkEngine(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  if (task.operation_json === null) throw new Error(`the ${task.step} task ${task.id} has no operation`);
  const operation = operationOf(task);
  const engine = configuredEngine(attempt);
  held.setResumable(true);
  held.signal.throwIfAborted();
  attempt.order ??= await orderOf(attempt);
  const { order } = attempt;
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
    checked = await timeCall(attempt, engine, 'check', () => engine.check(operation, order, context));
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

/** Measures the duration of a call. Simulated orders call nobody and are not measured. */
async function timeCall<T>(
  { work, task, held }: Attempt,
  engine: Engine,
  call: 'start' | 'check',
  run: () => Promise<T>,
): Promise<T> {
  if (task.simulate_json !== null) return await run();
  const began = performance.now();
  const end = (outcome: string) => {
    const seconds = (performance.now() - began) / 1000;
    work.services.figures.upstreamCall({ engine: engine.name, call, outcome, seconds });
  };
  try {
    const answer = await run();
    end('ok');
    return answer;
  } catch (error) {
    end(held.signal.aborted ? 'aborted' : error instanceof EngineError ? error.class : 'error');
    throw error;
  }
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

function answerOf(started: Started, engine: Engine, order: Order): Answer {
  if ('done' in started) return { kind: 'delivery', delivery: started.done };
  return { kind: 'operation', operation: started.operation, job: jobOf(engine, started.operation, order) };
}

/** Returns the upstream's job id of an order; null if it has none. */
export function jobOf(engine: Engine, operation: JsonValue, order: Order): UpstreamJob | null {
  const name = engine.jobOf?.(operation, order) ?? null;
  return name === null ? null : { engine: engine.name, name };
}

/** Handles an unreadable input file. Engines read files before they submit, so nothing was ordered. */
function afterUnreadFile({ work, task, isResubmission }: Attempt, error: StorageError): TaskEvent {
  if (!isResubmission) work.unsent.note(task);
  if (isGone(error)) return { type: 'file_gone' };
  work.services.log.warn({ err: error, task_id: task.id }, 'could not read an input file; retrying');
  return { type: 'file_unreadable' };
}

async function afterFault({ work, task, isResubmission }: Attempt, engine: Engine, error: unknown): Promise<TaskEvent> {
  const fault = asEngineError(error, engine);
  const fields = { err: error, took: fault.took, attempts: task.attempts };
  logFault(work, task, engine, fields, 'the engine did not accept the order');
  if (fault.took === 'no') {
    if (!isResubmission) work.unsent.note(task);
    if (shortageOf(error) !== null) return { type: 'machine_short' };
    // The upstream cannot accept more orders at the moment.
    if (fault.class === 'busy' || fault.class === 'rate_limited') work.load.refused(engine);
  }
  await tellCircuit(work, task, engine, 'start', error);
  return { type: 'start_failed', fault };
}

/** Tells whether a stored input file no longer exists. */
function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'not_found';
}

/** Tells whether an error is not the engine's: the claim was lost, the service stops, or the storage is unavailable. */
function isInterruption(error: unknown, held: Held): boolean {
  return held.signal.aborted || error instanceof LostClaim || error instanceof StorageError;
}

/** Returns the engine of the task's route. @throws EngineError if it is not configured in this process */
export function configuredEngine({ task, route, engine }: Attempt): Engine {
  if (engine !== undefined) return engine;
  throw new EngineError('upstream', `the engine ${route.engine} of task ${task.id} is not configured`, { took: 'no' });
}
