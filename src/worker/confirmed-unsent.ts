import type { TaskRow } from '../record/task.ts';

/**
 * Orders that may be `submitting` in the database although this process certainly did not submit them: the commit was
 * not confirmed, or the engine refused and that could not be written. Kept in memory, so lost after a crash.
 */
export interface ConfirmedUnsent {
  /** Records that the engine is not called under the row's claim, or did not accept the order. */
  record(task: Pick<TaskRow, 'id' | 'fence'>): void;
  /** Records that the engine is being called. */
  forget(taskId: string): void;
  /** Tells whether a task found as `submitting` was not submitted: only this process has claimed it since. */
  has(task: Pick<TaskRow, 'id' | 'fence'>): boolean;
}

/** Maximum number of remembered orders, more than a process can hold. Beyond it the oldest entries are dropped. */
const REMEMBERED = 10_000;

export function createConfirmedUnsent(): ConfirmedUnsent {
  const fences = new Map<string, number>();
  return {
    record({ id, fence }) {
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
