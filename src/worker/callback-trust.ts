/**
 * Tells whether the callbacks of engines arrive. They must prove themselves: a process checks orders as often as
 * without callbacks until the first one arrives, and again after three ends in a row without one. So an address that no
 * upstream can reach, a proxy that drops the calls, or processes that cannot notify each other delay no result.
 */
export interface CallbackTrust {
  /** Tells whether the callbacks of an engine arrive, so that its orders need few checks. */
  arrive(engine: string): boolean;
  /** Reports a callback for an order of this process. */
  heard(engine: string): void;
  /** Reports the end of an order that was found by a check, although a callback had been asked for. */
  missed(engine: string): void;
}

/** Number of ends in a row without a callback after which orders are checked as often as without callbacks. */
const MISSES = 3;

/** Creates the trust of a process in callbacks, which begins without any. */
export function createCallbackTrust(): CallbackTrust {
  /** Misses since the last callback, of engines whose callbacks arrive. */
  const misses = new Map<string, number>();
  return {
    arrive: (engine) => misses.has(engine),
    heard: (engine) => void misses.set(engine, 0),
    missed(engine) {
      const count = (misses.get(engine) ?? MISSES) + 1;
      if (count >= MISSES) misses.delete(engine);
      else misses.set(engine, count);
    },
  };
}
