import type { Clock } from '@darkroom-service/contract';
import { callTimeoutOf, type Engine } from '@darkroom-service/engines';

/** The open submissions of this process, and their usual durations. */
export interface CallWatch {
  /**
   * @returns a function to call when the submission has ended. It returns how long this process stood still meanwhile,
   * in milliseconds.
   */
  begin(engine: Engine, route: string): (ended: 'took it' | 'failed') => number;
  /**
   * Returns the calls of an engine that are open far longer than usual while none succeeded; null if there are none.
   */
  hanging(engine: string, isTrial: boolean): Hanging | null;
}

interface Hanging {
  readonly calls: number;
  readonly longestMs: number;
  /** The time limit of the call that has been open longest. */
  readonly limitMs: number;
}

interface OpenCall {
  readonly engine: Engine;
  readonly route: string;
  readonly startedAt: number;
  readonly stalledMs: number;
  isTold: boolean;
}

/** Number of calls that must hang. While one order tests the upstream, one is enough. */
const CALLS = 3;
const REMEMBERED = 40;
const ENOUGH = 5;
const LEAST_MS = 15_000;
const TIMES_USUAL = 4;

/**
 * Creates the watch. A call hangs after four times its route's 95th percentile, at least 15 s, or half the engine's
 * timeout. Time in which this process stood still does not count.
 * @param stalledMs returns the total of that time
 */
export function createCallWatch(clock: Clock, stalledMs: () => number): CallWatch {
  const open = new Set<OpenCall>();
  const durations = new Map<string, number[]>();
  const cameThrough = new Map<string, number>();

  function limitMs({ engine, route }: OpenCall): number {
    const known = durations.get(route) ?? [];
    const most = callTimeoutOf(engine) / 2;
    if (known.length < ENOUGH) return most;
    const sorted = Float64Array.from(known).sort();
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? most;
    return Math.min(most, Math.max(LEAST_MS, p95 * TIMES_USUAL));
  }

  return {
    begin(engine, route) {
      const startedAt = clock.now();
      const call = { engine, route, startedAt, stalledMs: stalledMs(), isTold: false };
      open.add(call);
      return (ended) => {
        open.delete(call);
        const stoodStillMs = stalledMs() - call.stalledMs;
        if (ended === 'failed') return stoodStillMs;
        cameThrough.set(engine.name, startedAt);
        const known = durations.get(route) ?? [];
        known.push(clock.now() - startedAt);
        if (known.length > REMEMBERED) known.shift();
        durations.set(route, known);
        return stoodStillMs;
      };
    },
    hanging(engine, isTrial) {
      if (open.size === 0) return null;
      const now = clock.now();
      const stalled = stalledMs();
      const openMs = (call: OpenCall) => now - call.startedAt - (stalled - call.stalledMs);
      const since = cameThrough.get(engine) ?? Number.NEGATIVE_INFINITY;
      // If a later call succeeded, the upstream works and earlier calls are merely slow.
      const late = [...open].filter(
        (call) => call.engine.name === engine && !call.isTold && call.startedAt > since && openMs(call) > limitMs(call),
      );
      const [oldest] = late;
      if (oldest === undefined || late.length < (isTrial ? 1 : CALLS)) return null;
      for (const call of late) call.isTold = true;
      return { calls: late.length, longestMs: openMs(oldest), limitMs: limitMs(oldest) };
    },
  };
}
