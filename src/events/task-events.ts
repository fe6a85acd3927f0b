/** Tells those who wait within this process that a task has changed. What other processes change is found by asking again. */
export interface TaskEvents {
  /** Called after the commit. */
  changed(taskId: string): void;
  /** Resolves at the next change of the task, at the time-out, or when the signal is aborted; the caller reads the task again. */
  nextChange(taskId: string, options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<void>;
}

export function createTaskEvents(): TaskEvents {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(taskId) {
      const wakes = waiting.get(taskId);
      if (wakes !== undefined) for (const wake of [...wakes]) wake();
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
