import type { BudgetState } from './rate-limit-headers.ts';

/** Limits how many creates and reads a key may send per minute. Counts nothing where there is no limit. */
export interface RateLimits {
  /** Counts a request of a key with `limit` per minute; refused requests do not count. Null = no limit. */
  take(keyId: string, kind: RateKind, limit: number): RateDecision | null | Promise<RateDecision | null>;
}

/** Counts within this process only: never more than the limit in any sixty seconds. */
export interface LocalRateLimits extends RateLimits {
  take(keyId: string, kind: RateKind, limit: number): RateDecision | null;
}

export type RateKind = 'creates' | 'reads';

export interface RateDecision {
  readonly allowed: boolean;
  /** The remaining requests. */
  readonly state: BudgetState & { readonly resetSeconds: number };
}

const WINDOW_SECONDS = 60;
const KEYS_REMEMBERED = 10_000;

/** Creates the rate limits of one process. @param options.now returns milliseconds. */
export function createRateLimits(options: { readonly now: () => number }): LocalRateLimits {
  const windows = { creates: new Map<string, MinuteWindow>(), reads: new Map<string, MinuteWindow>() };
  return {
    take(keyId, kind, limit) {
      if (limit === 0) return null;
      const second = Math.floor(options.now() / 1000);
      const window = windowOf(windows[kind], keyId, second);
      const used = window.advance(second);
      const allowed = used < limit;
      if (allowed) window.count(second);
      const remaining = Math.max(0, limit - used - (allowed ? 1 : 0));
      const resetSeconds = window.secondsUntilRelief(second);
      return { allowed, state: { name: kind, limit, remaining, windowSeconds: WINDOW_SECONDS, resetSeconds } };
    },
  };
}

/**
 * The last sixty seconds of a key, with one counter per second: never more than the limit in any minute, in 240 bytes.
 */
class MinuteWindow {
  readonly #counts = new Uint32Array(WINDOW_SECONDS);
  #total = 0;
  #second: number;

  constructor(second: number) {
    this.#second = second;
  }

  /** Drops counts older than a minute and returns the number of requests in the window. */
  advance(second: number): number {
    // A clock that is set back must neither free requests nor lose counts.
    const steps = Math.min(second - this.#second, WINDOW_SECONDS);
    for (let step = 1; step <= steps; step++) {
      const place = (this.#second + step) % WINDOW_SECONDS;
      this.#total -= this.#counts[place]!;
      this.#counts[place] = 0;
    }
    if (steps > 0) this.#second = second;
    return this.#total;
  }

  count(second: number): void {
    this.#counts[second % WINDOW_SECONDS]! += 1;
    this.#total++;
  }

  /** Returns the seconds until the oldest requests leave the window. */
  secondsUntilRelief(second: number): number {
    for (let age = WINDOW_SECONDS - 1; age > 0; age--) {
      const place = (((second - age) % WINDOW_SECONDS) + WINDOW_SECONDS) % WINDOW_SECONDS;
      if (this.#counts[place]! > 0) return WINDOW_SECONDS - age;
    }
    return WINDOW_SECONDS;
  }
}

function windowOf(windows: Map<string, MinuteWindow>, keyId: string, second: number): MinuteWindow {
  const known = windows.get(keyId);
  if (known !== undefined) return known;
  if (windows.size >= KEYS_REMEMBERED) dropIdle(windows, second);
  const window = new MinuteWindow(second);
  windows.set(keyId, window);
  return window;
}

function dropIdle(windows: Map<string, MinuteWindow>, second: number): void {
  for (const [keyId, window] of windows) if (window.advance(second) === 0) windows.delete(keyId);
}
