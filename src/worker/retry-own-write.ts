import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from '../base/back-off.ts';
import { ServiceError } from '../base/errors.ts';
import { shortageOf } from '../base/machine-fault.ts';
import { StorageError } from '../storage/storage.ts';
import type { TaskRow } from '../tasks/task.ts';
import { OutputFault } from './output-fault.ts';
import type { Held, WorkerServices } from './worker-services.ts';

const OUTPUT_ATTEMPTS = 4;

/**
 * Tries again while our own database or storage cannot: for what would be lost with this call, such as the operation of an order that
 * an upstream has just taken. Ends with the claim, the stop of the service, or the task's hard deadline.
 * @throws what the last attempt threw.
 */
export async function retryOwnWrite<T>(
  work: WorkerServices,
  task: TaskRow,
  held: Held,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const passes =
        error instanceof StorageError ||
        error instanceof ServiceError ||
        shortageOf(error) !== null ||
        (error instanceof OutputFault && attempts < OUTPUT_ATTEMPTS);
      if (!passes || held.signal.aborted || work.services.clock.now() >= task.deadline_at) throw error;
      const { log } = work.services;
      if (attempts === 0) log.error({ err: error, task_id: task.id }, "could not save the engine's answer; retrying");
      else log.debug({ err: error, task_id: task.id, attempts }, "could not save the engine's answer; retrying");
      await sleep(backOff(attempts), undefined, { signal: held.signal });
    }
  }
}

/**
 * Writes that the engine is about to be called. Where it is not known whether that was committed, it is written again under the same claim:
 * a commit still under way holds the row, so that the second write finds what became of the first, or that the claim is lost.
 * @param enter moves the task to `submitting`, also from there; it is fenced.
 * @throws what `enter` throws: then the engine must not be called.
 */
export async function untilConfirmed<T>(
  work: WorkerServices,
  task: TaskRow,
  held: Held,
  enter: () => Promise<T>,
): Promise<T> {
  work.unsent.note(task);
  try {
    return await enter();
  } catch (error) {
    if (!(error instanceof ServiceError && error.outcomeUnknown)) throw error;
    return await retryOwnWrite(work, task, held, enter);
  }
}
