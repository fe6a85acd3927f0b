/** Waits. @throws the signal's reason */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A signal that follows another one and can also be aborted here. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Aborts after so many milliseconds from now; replaces an earlier limit. Null removes it. */
  limit(milliseconds: number | null, reason?: () => unknown): void;
  /** Removes the listener and the timer. Must be called at the end. */
  release(): void;
}

export function linkSignal(outer: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    limit(milliseconds, reason) {
      clearTimeout(timer);
      if (milliseconds !== null) timer = setTimeout(() => controller.abort(reason?.()), milliseconds);
    },
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}

/** Half a second, doubled with each attempt up to eight seconds, with up to a quarter of jitter. */
export function backOff(attempt: number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (0.75 + Math.random() / 4);
}
