import { type Engine, EngineError, type EngineErrorClass, FAILURE_CODES } from '../engines/engine.ts';
import { letGo, moveTask } from './move-task.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import type { WorkerDesk } from './worker-desk.ts';

const PASSING: readonly EngineErrorClass[] = ['rate_limited', 'busy', 'upstream', 'timeout'];
const START_ATTEMPTS = 8;
const REPEATABLE_ATTEMPTS = 3;

/** 1 s, 2 s, 4 s … up to a minute, with a fifth of chance. */
export function backOff(attempts: number): number {
  return Math.min(60_000, 1000 * 2 ** attempts) * (0.9 + Math.random() * 0.2);
}

/** `start` failed. Only what the upstream certainly did not take is offered again; what is not known is never sent twice. */
export async function afterStartError(work: WorkerDesk, task: TaskRow, engine: Engine, error: unknown): Promise<void> {
  const { desk } = work;
  const fault = asEngineError(error, engine);
  desk.log.warn(
    { err: error, task_id: task.id, engine: engine.name, took: fault.took, attempts: task.attempts },
    'the engine did not start the order',
  );
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
  work.unsent.note(task);
  const attempts = task.attempts + 1;
  if (PASSING.includes(fault.class) && attempts < START_ATTEMPTS) {
    const deferred = await moveTask(desk, 'deferred', task, 'deferred');
    return await letGo(desk, deferred, { afterMs: fault.retryAfterMs ?? backOff(attempts), attempts });
  }
  await fail(work, task, fault);
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
  const givesUp =
    engine.repeatable === true ? attempts >= REPEATABLE_ATTEMPTS || !PASSING.includes(fault.class) : isVerdict(fault);
  if (givesUp || desk.clock.now() >= task.deadline_at) return await fail(work, task, fault);
  await letGo(desk, task, { afterMs: fault.retryAfterMs ?? backOff(attempts), attempts });
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
