import { randomBytes } from 'node:crypto';

/** Measures the time that this process stands still. */
export interface StallMeter {
  /** Returns the total time in which its event loop or its thread pool was late, in milliseconds. */
  totalMs(): number;
  stop(): void;
}

const EVERY_MS = 250;
/** Delay that is usual and does not count. */
const TOLERATED_MS = 100;

/**
 * Waits for a short timer and then for the thread pool, over and over: a wait that takes longer than usual is a stall.
 */
export function startStallMeter(): StallMeter {
  let totalMs = 0;
  let since = performance.now();
  const lateMs = () => Math.max(0, performance.now() - since - EVERY_MS - TOLERATED_MS);
  const wait = () => {
    since = performance.now();
    timer = setTimeout(() => randomBytes(1, next), EVERY_MS);
    timer.unref();
  };
  const next = () => {
    totalMs += lateMs();
    if (!isStopped) wait();
  };
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  wait();
  return {
    totalMs: () => totalMs + lateMs(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
