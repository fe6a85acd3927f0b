import { type Engine, EngineError, type EngineErrorClass, FAILURE_CODES } from '../engines/engine.ts';
import { isLasting, isLong } from './circuit.ts';
import { letGo, moveTask } from './move-task.ts';
import { findNextRoute, takeNextRoute } from './next-route.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import { waitForUpstreamMs } from './wait-for-upstream.ts';
import type { WorkerDesk } from './worker-desk.ts';

const PASSING: readonly EngineErrorClass[] = ['rate_limited', 'busy', 'upstream', 'timeout'];
const START_ATTEMPTS = 8;
/** As often as that an order is refused before it goes on to another route, if there is one. */
const PATIENCE = 3;
const REPEATABLE_ATTEMPTS = 3;
/** How often an order is asked for at an upstream that has trouble. */
const ASK_SELDOM_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;

/** 1 s, 2 s, 4 s … up to a minute, with a fifth of chance. */
export function backOff(attempts: number): number {
  return Math.min(60_000, 1000 * 2 ** attempts) * (0.9 + Math.random() * 0.2);
}

/**
 * `start` failed. Only what the upstream certainly did not take is offered again, there or at the next route; what is not known is never
 * sent twice.
 */
export async function afterStartError(work: WorkerDesk, task: TaskRow, engine: Engine, error: unknown): Promise<void> {
  const { desk, circuits } = work;
  const fault = asEngineError(error, engine);
  desk.log.warn(
    { err: error, task_id: task.id, engine: engine.name, took: fault.took, attempts: task.attempts },
    'the engine did not start the order',
  );
  if (fault.took === 'no') work.unsent.note(task);
  await tellCircuit(work, task, engine, 'start', error);
  if (fault.took !== 'no') {
    await settleTask(desk, 'settle_unknown', task, {
      status: 'failed',
      failure: {
        code: 'outcome_unknown',
        message: `Whether the order was made is not known: ${fault.message}. It is not charged and was not sent again.`,
      },
      detail: { engine: engine.name, took: fault.took },
    });
    return;
  }
  const lasting = isLasting(fault.class);
  if (!lasting && !PASSING.includes(fault.class)) {
    const next = fault.elsewhere
      ? await findNextRoute(desk, task, { reason: fault.message, standings: ['ready', 'held', 'interrupted'] })
      : null;
    return await (next === null ? fail(work, task, fault) : takeNextRoute(desk, task, next));
  }
  const opened = circuits.of(engine.name);
  const attempts = task.attempts + 1;
  if (lasting || attempts >= PATIENCE || (opened !== null && isLong(opened))) {
    const next = await findNextRoute(desk, task, {
      reason: fault.message,
      standings: lasting ? ['ready', 'held', 'interrupted'] : ['ready'],
      // A purse is one for all models.
      engine: fault.class === 'billing',
    });
    if (next !== null) return await takeNextRoute(desk, task, next);
  }
  // An order fails for being refused while others get through; while none does, it waits.
  if (lasting || (opened === null && attempts >= START_ATTEMPTS)) return await fail(work, task, fault);
  const deferred = await moveTask(desk, 'deferred', task, 'deferred');
  const afterMs = Math.max(fault.retryAfterMs ?? backOff(attempts), waitForUpstreamMs(work, engine.name));
  await letGo(desk, deferred, { afterMs, attempts: opened === null ? attempts : task.attempts });
}

/** `check` failed. The order is with the engine, so it is asked again until the hard deadline; only a repeatable engine gives up early. */
export async function afterCheckError(work: WorkerDesk, task: TaskRow, engine: Engine, error: unknown): Promise<void> {
  const { desk } = work;
  const fault = asEngineError(error, engine);
  const attempts = task.attempts + 1;
  desk.log.warn(
    { err: error, task_id: task.id, engine: engine.name, attempts },
    'the engine did not answer how the order stands',
  );
  await tellCircuit(work, task, engine, 'check', error);
  const givesUp =
    engine.repeatable === true ? attempts >= REPEATABLE_ATTEMPTS || !PASSING.includes(fault.class) : isVerdict(fault);
  if (givesUp || desk.clock.now() >= task.deadline_at) return await fail(work, task, fault);
  const afterMs = Math.max(fault.retryAfterMs ?? backOff(attempts), checkAtLeastMs(work, engine.name));
  await letGo(desk, task, { afterMs, attempts });
}

/** The least time to the next question while an upstream has trouble. */
export function checkAtLeastMs(work: WorkerDesk, engine: string): number {
  return work.circuits.stateOf(engine) === 'open' ? ASK_SELDOM_MS : 0;
}

/** What a call that failed says of the upstream. A fault of ours says nothing, and an engine without an upstream has no circuit. */
async function tellCircuit(
  { circuits, desk }: WorkerDesk,
  task: TaskRow,
  engine: Engine,
  call: 'start' | 'check',
  error: unknown,
): Promise<void> {
  if (engine.repeatable === true || !(error instanceof EngineError)) return;
  if (error.elsewhere) return;
  if (isVerdict(error)) return await circuits.succeeded(engine.name, call);
  desk.figures.engineFault({ engine: engine.name, call, fault: error.class });
  // Some models want rights of their own: where the key is good all the same, the others go on.
  if (error.class === 'auth' && circuits.of(engine.name) === null && (await isWell(engine))) return;
  await circuits.failed(engine.name, call, task.id, error);
}

/** Whether the upstream answers and takes the key; false where that cannot be asked without spending. */
async function isWell(engine: Engine): Promise<boolean> {
  const context = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
  const probed = await engine.probe?.(context).catch(() => null);
  return probed?.ok === true;
}

/** Refusals of the order itself; a wrong key or an empty purse says nothing of an order that is running. */
function isVerdict(fault: EngineError): boolean {
  return fault.class === 'invalid_input' || fault.class === 'content_policy';
}

async function fail(work: WorkerDesk, task: TaskRow, fault: EngineError): Promise<void> {
  await settleTask(work.desk, 'settle_failed', task, {
    status: 'failed',
    failure: { code: FAILURE_CODES[fault.class], message: fault.message },
  });
}

/** What is thrown besides an EngineError is a fault of ours: for a paid engine nobody knows how far the call came. */
function asEngineError(error: unknown, engine: Engine): EngineError {
  if (error instanceof EngineError) return error;
  const took = engine.repeatable === true ? 'no' : 'unknown';
  return new EngineError('upstream', `the engine ${engine.name} broke off`, { took, cause: error });
}
