import { FetchFault } from './fetch-fault.ts';

/** The end of a fetch's patience: its time, or its caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the time ran out: a FetchFault, or the reason of the caller's signal; null while it has not. */
  reason(): Error | null;
  /** Must be called when the fetch is over, so that a long-lived signal does not gather listeners. */
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
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
