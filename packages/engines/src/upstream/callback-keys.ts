import type { Clock } from '@darkroom-service/contract';

/** The keys that an upstream signs its callbacks with. They are public, or secrets of the account. */
export interface CallbackKeys {
  /** Returns the keys; null if they cannot be read now. */
  read(signal: AbortSignal): Promise<readonly string[] | null>;
  /** Reads the keys again soon, because a signature matches none of them. @returns as `read` */
  readAgain(signal: AbortSignal): Promise<readonly string[] | null>;
}

/** Milliseconds for which keys are cached: fal allows at most a day. */
const KEPT_MS = 24 * 60 * 60_000;
/** Milliseconds between two requests: forged callbacks and an upstream that is away cause at most one. */
const AGAIN_AFTER_MS = 60_000;

interface Reading {
  readonly at: number;
  readonly keys: Promise<readonly string[] | null>;
}

export function createCallbackKeys(
  clock: Clock,
  readKeys: (signal: AbortSignal) => Promise<readonly string[]>,
): CallbackKeys {
  let last: Reading | null = null;
  let known: readonly string[] | null = null;

  async function read(signal: AbortSignal, keptMs: number): Promise<readonly string[] | null> {
    const now = clock.now();
    if (last === null || Math.abs(now - last.at) >= keptMs) {
      const reading = readKeys(signal).then(
        (keys) => {
          known = keys;
          return keys;
        },
        () => known,
      );
      last = { at: now, keys: reading };
    }
    return await last.keys;
  }

  return {
    read: (signal) => read(signal, known === null ? AGAIN_AFTER_MS : KEPT_MS),
    readAgain: (signal) => read(signal, AGAIN_AFTER_MS),
  };
}

/**
 * Tells whether one of the upstream's keys has signed. While the keys cannot be read, every signature counts: the
 * secret part of the URL has been checked, and the callback causes no more than a check.
 */
export async function isSigned(
  keys: CallbackKeys,
  isSignedWith: (key: string) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const known = await keys.read(signal);
  if (known === null || known.some(isSignedWith)) return true;
  const newest = await keys.readAgain(signal);
  return newest === null || newest.some(isSignedWith);
}
