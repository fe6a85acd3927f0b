import { StorageError } from '../storage/storage.ts';
import { letGo, moveTask } from './move-task.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import type { WorkerDesk } from './worker-desk.ts';

/** How long an order waits for a storage that is away. */
const STORAGE_AWAY_MS = 10_000;

/** Whether a stored file that an engine was to read is no longer there. */
export function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'not_found';
}

/**
 * An engine could not read a file that the order works from. It reads them before it orders, so that nothing was ordered: the order is offered
 * again, or fails where the file is gone. @throws LostClaim
 */
export async function afterUnreadMedium(work: WorkerDesk, task: TaskRow, fault: StorageError): Promise<void> {
  work.unsent.note(task);
  if (isGone(fault)) return await failForGoneMedium(work, task);
  work.desk.log.warn({ err: fault, task_id: task.id }, 'a file that the order works from cannot be read right now');
  const deferred = await moveTask(work.desk, 'deferred', task, 'deferred');
  await letGo(work.desk, deferred, { afterMs: STORAGE_AWAY_MS, attempts: task.attempts });
}

/** Ends an order that can never be made: a file that it works from was deleted, or its time was over, before it was its turn. */
export async function failForGoneMedium(work: WorkerDesk, task: TaskRow): Promise<void> {
  await settleTask(work.desk, 'settle_failed', task, {
    status: 'failed',
    failure: {
      code: 'invalid_input',
      message: 'A file that the order works from is no longer kept here: it was deleted, or its time was over.',
    },
  });
}
