/**
 * The time, timers and randomness of a process: the machine's, or those of a simulator that repeats them from a seed.
 * Code of the service calls `world.now()` and the like at every use, and keeps none of its functions.
 */
export interface World {
  /** Returns the time in milliseconds since 1970 UTC. It can jump when somebody sets the machine's clock. */
  now(): number;
  /** Returns the milliseconds of a clock that never jumps, since some moment: for durations and limits. */
  monotonic(): number;
  /**
   * Calls `run` once, after `ms` milliseconds. A simulated timer belongs to the process that was current at this call.
   */
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | null | undefined): void;
  setInterval(run: () => void, ms: number): Timer;
  clearInterval(timer: Timer | null | undefined): void;
  /** Calls `run` after the events that have already occurred. */
  setImmediate(run: () => void): void;
  /** Returns a signal that aborts with a `TimeoutError` after `ms` milliseconds and keeps no process alive. */
  timeout(ms: number): AbortSignal;
  /** Returns a number from 0 to below 1, for pauses and choices. Secrets are made of `randomBytes`. */
  random(): number;
  /** Returns bytes that nobody can guess. @param length at most 65,536 */
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Returns a random UUID that nobody can guess. */
  randomUUID(): string;
}

type Timer = ReturnType<typeof setTimeout>;

/** Node's function, which the types of browsers lack. */
declare const setImmediate: (run: () => void) => unknown;

/** The machine's world. Each function looks up the global at the call, because tests replace `Date` and the timers. */
const machine: World = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer ?? undefined),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer ?? undefined),
  setImmediate: (run) => void setImmediate(run),
  timeout: (ms) => AbortSignal.timeout(ms),
  random: () => Math.random(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  randomUUID: () => crypto.randomUUID(),
};

/**
 * The world of the current process. A module variable instead of a parameter: 300 places read it, most of them deep in
 * the call tree, and a simulator runs one process at a time, so it can set the world before each turn.
 * `AsyncLocalStorage` would slow every order for the sake of a simulator.
 */
export let world: World = machine;

/** Makes another world the current one, for a simulator. @returns the previous one */
export function useWorld(next: World): World {
  const before = world;
  world = next;
  return before;
}

/**
 * Resolves with null after `ms` milliseconds.
 * @param options.ref false = the pause keeps no process alive
 * @throws an `AbortError` with the reason as its cause, once the signal aborts
 */
export function sleep(ms: number, options: { signal?: AbortSignal | undefined; ref?: boolean } = {}): Promise<null> {
  const { signal, ref = true } = options;
  return new Promise((resolve, reject) => {
    const stop = () => {
      world.clearTimeout(timer);
      const error = new Error('The operation was aborted', { cause: signal?.reason });
      reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    const timer = world.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(null);
    }, ms);
    // The types of browsers, where timers are numbers, lack `unref`.
    if (!ref) (timer as unknown as { unref(): void }).unref();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Resolves after the events that have already occurred, so that others get their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => world.setImmediate(resolve));
}
