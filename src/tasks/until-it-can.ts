import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../base/errors.ts';
import { StorageError } from '../storage/storage.ts';
import { backOff } from './engine-faults.ts';
import { OutputFault } from './fetch-output.ts';
import type { TaskRow } from './task.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

const OUTPUT_ATTEMPTS = 4;

/**
 * Tries again while our own database or storage cannot: for what would be lost with this call, such as the operation of an order that
 * an upstream has just taken. Ends with the claim, the stop of the service, or the task's hard deadline.
 * @throws what the last attempt threw.
 */
export async function untilItCan<T>(
  work: WorkerDesk,
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
        (error instanceof OutputFault && attempts < OUTPUT_ATTEMPTS);
      if (!passes || held.signal.aborted || work.desk.clock.now() >= task.deadline_at) throw error;
      work.desk.log.error(
        { err: error, task_id: task.id },
        'what must not be lost cannot be written right now and is kept at hand',
      );
      await sleep(backOff(attempts), undefined, { signal: held.signal });
    }
  }
}
