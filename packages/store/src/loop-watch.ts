/** Detects a blocked event loop from the ticks of another thread. */
interface LoopWatch {
  /**
   * Records one tick of the watching thread.
   * @param turns the counter of event loop iterations.
   * @returns the milliseconds for which it has not changed.
   */
  tick(nowMs: number, turns: number): number;
}

/**
 * Creates a watch of the event loop.
 * @param tickMs time between ticks. A longer pause counts as one tick, since then the whole process or the machine was
 * paused.
 */
export function createLoopWatch(tickMs: number): LoopWatch {
  let lastAt: number | null = null;
  let lastTurns: number | null = null;
  let stoodForMs = 0;
  return {
    tick(nowMs, turns) {
      const elapsedMs = lastAt === null ? 0 : Math.min(nowMs - lastAt, tickMs);
      stoodForMs = turns === lastTurns ? stoodForMs + elapsedMs : 0;
      lastAt = nowMs;
      lastTurns = turns;
      return stoodForMs;
    },
  };
}
