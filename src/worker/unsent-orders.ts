import type { TaskRow } from '../tasks/task.ts';

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
