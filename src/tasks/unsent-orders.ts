import { ServiceError } from '../base/errors.ts';
import { moveTask } from './move-task.ts';
import type { TaskRow } from './task.ts';
import { untilItCan } from './until-it-can.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

/**
 * Orders that may stand as `submitting` in the database although this process, which held them, certainly did not hand them over: the commit
 * was not confirmed, or the engine refused and that could not be written. It lives in memory: after a crash nobody knows.
 */
export interface UnsentOrders {
  /** The engine is not called, or did not take it, under the claim that the row names. */
  note(task: Pick<TaskRow, 'id' | 'fence'>): void;
  /** The engine is called now. */
  forget(taskId: string): void;
  /** Whether a task found as `submitting` was not handed over: nobody but this process has held it since. */
  has(task: Pick<TaskRow, 'id' | 'fence'>): boolean;
}

/** More than a process can hold; what nobody comes back for is forgotten, the oldest first. */
const REMEMBERED = 10_000;

export function createUnsentOrders(): UnsentOrders {
  const fences = new Map<string, number>();
  return {
    note({ id, fence }) {
      fences.delete(id);
      fences.set(id, fence);
      for (const oldest of fences.keys()) {
        if (fences.size <= REMEMBERED) return;
        fences.delete(oldest);
      }
    },
    forget: (taskId) => void fences.delete(taskId),
    // Every claim raises the fence by one: the claim before this one was ours.
    has: ({ id, fence }) => fences.get(id) === fence - 1,
  };
}

/**
 * Writes that the engine is about to be called. Where it is not known whether that was committed, it is written again under the same claim:
 * a commit still under way holds the row, so that the second write finds what became of the first, or that the claim is lost.
 * @param enter moves the task to `submitting`, also from there; it is fenced.
 * @throws what `enter` throws: then the engine must not be called.
 */
export async function untilConfirmed<T>(
  work: WorkerDesk,
  task: TaskRow,
  held: Held,
  enter: () => Promise<T>,
): Promise<T> {
  work.unsent.note(task);
  try {
    return await enter();
  } catch (error) {
    if (!(error instanceof ServiceError && error.outcomeUnknown)) throw error;
    return await untilItCan(work, task, held, enter);
  }
}

/** Takes an order that was not handed over back to where it can be. @throws LostClaim */
export async function takeBack(work: WorkerDesk, task: TaskRow): Promise<TaskRow> {
  work.unsent.note(task);
  return await moveTask(work.desk, 'deferred', task, 'deferred');
}
