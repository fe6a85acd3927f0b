import { world } from '@darkroom-service/contract';

/** Failures in a row of a server, and the pause until it may be started again. */
export interface Restarts {
  readonly reason: string | null;
  /** Milliseconds until it may be started again; 0 = now. */
  pauseMs(): number;
  /** Whether orders are refused because the server has failed too often. */
  isUnavailable(): boolean;
  /** @param loaded whether it had become ready */
  failed(reason: string, loaded: boolean): void;
  /** Pauses for a failure that is none of the server: it does not count. */
  hindered(reason: string): void;
  succeeded(): void;
}

const LOAD_FAILURES = 3;
const CRASHES = 6;
const LONGEST_MS = 30_000;
const UNAVAILABLE_MS = 5 * 60_000;

/**
 * Pauses double after each failure. A server that could not be loaded three times in a row is unavailable for five
 * minutes.
 */
export function createRestarts(firstMs: number, now: () => number = () => world.monotonic()): Restarts {
  let reason: string | null = null;
  let loadFailures = 0;
  let crashes = 0;
  let retryAt = 0;
  let unavailableUntil = 0;
  return {
    get reason() {
      return reason;
    },
    pauseMs: () => Math.max(0, retryAt - now()),
    isUnavailable: () => now() < unavailableUntil,
    failed(why, loaded) {
      reason = why;
      loadFailures = loaded ? 0 : loadFailures + 1;
      crashes = loaded ? crashes + 1 : crashes;
      retryAt = now() + Math.min(LONGEST_MS, firstMs * 2 ** (loadFailures + crashes - 1));
      if (loadFailures < LOAD_FAILURES && crashes < CRASHES) return;
      loadFailures = 0;
      crashes = 0;
      unavailableUntil = now() + UNAVAILABLE_MS;
      retryAt = unavailableUntil;
    },
    hindered(why) {
      reason = why;
      retryAt = now() + firstMs;
    },
    succeeded() {
      reason = null;
      loadFailures = 0;
      crashes = 0;
    },
  };
}
