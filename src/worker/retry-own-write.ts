import { ServiceError, sleep } from '@darkroom-service/contract';
import { StorageError } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import { backOff } from '../base/back-off.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { LONGEST_PAUSE_MS } from './decide/unknown-outcome.ts';
import { OutputFault } from './output-fault.ts';

/**
 * Writes once, and again if it is unknown whether the first commit was made. A pending commit locks the row, so a
 * second write under the same claim sees the result of the first, or that the claim is lost.
 * @param beforeAgain called before the second write
 * @throws the error of the last attempt
 */
export async function retryUnconfirmedWrite<T>(
  services: Pick<TaskServices, 'clock' | 'log'>,
  task: Pick<TaskRecord, 'id' | 'deadline_at'>,
  signal: AbortSignal,
  write: () => Promise<T>,
  beforeAgain: () => Promise<unknown> = async () => {},
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ServiceError && error.outcomeUnknown)) throw error;
    await beforeAgain();
    return await retryOwnWrite(services, task, signal, write);
  }
}

/**
 * Retries while our own database or storage fails, or a result cannot be read from its location. For data that exists
 * only in this call, such as the operation of an order that an upstream has just accepted. Ends when the claim is lost,
 * the service stops, or the task's hard deadline comes.
 * @throws the error of the last attempt
 */
export async function retryOwnWrite<T>(
  { clock, log }: Pick<TaskServices, 'clock' | 'log'>,
  task: Pick<TaskRecord, 'id' | 'deadline_at'>,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const passes =
        error instanceof StorageError ||
        error instanceof ServiceError ||
        machineFaultOf(error) !== null ||
        error instanceof OutputFault;
      if (!passes || signal.aborted || clock.now() >= task.deadline_at) throw error;
      if (attempts === 0) log.error({ err: error, task_id: task.id }, "could not save the engine's answer; retrying");
      else log.debug({ err: error, task_id: task.id, attempts }, "could not save the engine's answer; retrying");
      const pauseMs = backOff(attempts, undefined, error instanceof OutputFault ? LONGEST_PAUSE_MS : undefined);
      await sleep(Math.min(pauseMs, task.deadline_at - clock.now()), { signal });
    }
  }
}
