import { FetchFault } from './fetch-fault.ts';

/** Ends a fetch when its time is up or its caller aborts it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the fetch was ended: a FetchFault, or the reason of the caller's signal; null while it runs. */
  reason(): Error | null;
  /** Ends the fetch early with this fault. */
  fail(fault: FetchFault): void;
  /** Must be called when the fetch is over; otherwise a long-lived signal accumulates listeners. */
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
