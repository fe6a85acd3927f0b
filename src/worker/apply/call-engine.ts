import type { JsonValue } from '../../base/canonical-json.ts';
import { shortageOf } from '../../base/machine-fault.ts';
import { type Engine, EngineError, type Order, type Started } from '../../engines/engine.ts';
import { routeCircuit } from '../../routing/circuit.ts';
import { StorageError } from '../../storage/storage.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import { engineOf, type TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Answer, UpstreamJob } from '../spool/answer.ts';
import { orderOf } from '../task-order.ts';
import { timeCall } from '../time-call.ts';
import type { Held, WorkerServices } from '../worker-services.ts';
import type { Attempt } from './attempt.ts';
import { asEngineError, logFault, tellCircuit } from './report-fault.ts';

/** Submits the order. The engine's answer is kept in memory until it is stored. */
export async function callEngine(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  const engine = configuredEngine(work, task);
  const order = await orderOf(work.services, task);
  attempt.order = order;
  work.unsent.forget(task.id);
  let started: Started;
  try {
    started = await start(work, task, engine, order, held);
  } catch (error) {
    if (error instanceof StorageError && !held.signal.aborted) return afterUnreadFile(work, task, error);
    if (isInterruption(error, held)) throw error;
    return await afterFault(work, task, engine, error);
  }
  const route = routeCircuit(routeOf(task));
  work.load.succeeded(engine);
  await work.circuits.succeeded(engine.name, 'start');
  await work.circuits.succeeded(route, 'start');
  if ('done' in started) return { type: 'answered', kind: 'delivery' };
  return { type: 'answered', kind: 'operation', checkAfterMs: started.checkAfterMs ?? null };
}

async function start(
  work: WorkerServices,
  task: TaskRow,
  engine: Engine,
  order: Order,
  { signal }: Held,
): Promise<Started> {
  const endCall = work.load.begin(engine, routeCircuit(order.route));
  const started = await timeCall(work.services, task, engine, 'start', signal, () =>
    engine.start(order, { signal, onProgress: () => {} }),
  ).catch((error: unknown) => {
    endCall('failed');
    throw error;
  });
  endCall('took it');
  work.answers.add(task, engine.name, answerOf(started, engine, order));
  return started;
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
function afterUnreadFile(work: WorkerServices, task: TaskRow, error: StorageError): TaskEvent {
  work.unsent.note(task);
  if (isGone(error)) return { type: 'file_gone' };
  work.services.log.warn({ err: error, task_id: task.id }, 'could not read an input file; retrying');
  return { type: 'file_unreadable' };
}

async function afterFault(work: WorkerServices, task: TaskRow, engine: Engine, error: unknown): Promise<TaskEvent> {
  const fault = asEngineError(error, engine);
  const fields = { err: error, took: fault.took, attempts: task.attempts };
  logFault(work, task, engine, fields, 'the engine did not accept the order');
  if (fault.took === 'no') {
    work.unsent.note(task);
    if (shortageOf(error) !== null) return { type: 'machine_short' };
    // The upstream cannot accept more orders at the moment.
    if (fault.class === 'busy' || fault.class === 'rate_limited') work.load.refused(engine);
  }
  await tellCircuit(work, task, engine, 'start', error);
  return { type: 'start_failed', fault };
}

/** Tells whether a stored input file no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'not_found';
}

/** Tells whether an error is not the engine's: the claim was lost, the service stops, or the storage is unavailable. */
export function isInterruption(error: unknown, held: Held): boolean {
  return held.signal.aborted || error instanceof LostClaim || error instanceof StorageError;
}

/** Returns the engine of the task's route. @throws EngineError if it is not configured in this process */
export function configuredEngine(work: WorkerServices, task: TaskRow): Engine {
  const name = engineOf(task);
  const engine = work.engines.get(name);
  if (engine !== undefined) return engine;
  throw new EngineError('upstream', `the engine ${name} of task ${task.id} is not configured`, { took: 'no' });
}
