import type { Database } from '../database/database.ts';

/** Tells those who wait that a task has changed: in this process at once, in others soon after, where the database can carry it. */
export interface TaskEvents {
  /** Called after the commit. */
  changed(taskId: string): void;
  /** Resolves at the next change of the task, at the time-out, or when the signal is aborted; the caller reads the task again. */
  nextChange(taskId: string, options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<void>;
}

/** @param relay carries changes between processes; without one, what others change is found by asking again. */
export function createTaskEvents(relay?: Pick<Database, 'announce' | 'onRemoteChange'>): TaskEvents {
  const waiting = new Map<string, Set<() => void>>();
  const wakeAll = (taskId: string) => {
    const wakes = waiting.get(taskId);
    if (wakes !== undefined) for (const wake of [...wakes]) wake();
  };
  relay?.onRemoteChange((topics) => {
    for (const topic of topics) wakeAll(topic);
  });
  return {
    changed(taskId) {
      wakeAll(taskId);
      relay?.announce([taskId]);
    },
    nextChange(taskId, { timeoutMs, signal }) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wakes = waiting.get(taskId) ?? new Set();
        waiting.set(taskId, wakes);
        const timer = setTimeout(wake, timeoutMs);
        signal.addEventListener('abort', wake, { once: true });
        wakes.add(wake);
        function wake() {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          wakes.delete(wake);
          if (wakes.size === 0) waiting.delete(taskId);
          resolve();
        }
      });
    },
  };
}
