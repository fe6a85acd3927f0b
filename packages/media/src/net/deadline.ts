import { FetchFault } from './fetch-fault.ts';

/** Ends a fetch at its timeout or when its caller aborts it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Returns the reason for the end: a FetchFault, or that of the caller's signal; null while the fetch runs. */
  reason(): Error | null;
  /** Ends the fetch early with this fault. */
  fail(fault: FetchFault): void;
  /** Removes the listeners. Must be called after the fetch; otherwise a long-lived signal accumulates them. */
  clear(): void;
}

export function startDeadline(host: string, timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new FetchFault('timeout', `${host} did not deliver within ${timeoutMs / 1000} s`, { sent: 'unknown' }),
    );
  }, timeoutMs);
  const onAbort = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    reason() {
      if (!controller.signal.aborted) return null;
      const { reason } = controller.signal;
      return reason instanceof Error ? reason : new Error('the fetch was aborted', { cause: reason });
    },
    fail: (fault) => controller.abort(fault),
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
