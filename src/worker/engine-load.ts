import type { Clock } from '../base/clock.ts';
import type { Engine } from '../engines/engine.ts';
import type { EngineLimits } from '../routing/engine-limits.ts';
import { type CallWatch, createCallWatch } from './call-watch.ts';
import type { LocalCapacity } from './local-capacity.ts';

/** How much an engine gets: its limit over all processes, and how fast this process gives it new orders. */
export interface EngineLoad extends CallWatch {
  /** How many orders it may have in progress now, over all processes. */
  limitOf(engine: Pick<Engine, 'name' | 'concurrency' | 'adapts' | 'isLocal'>): number;
  /** Whether no new orders are claimed for it for now, because it has just refused one. */
  isHeldBack(engine: string): boolean;
  /** It refused an order because it is busy, or limits the rate. */
  refused(engine: Engine): void;
  /** It took an order. */
  succeeded(engine: Engine): void;
  /** Its circuit has closed: it gets new orders at once. */
  letThrough(engine: string): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Pause {
  readonly until: number;
  readonly lengthMs: number;
}

/**
 * Refused orders hold no place, so an upstream that is full would be offered every order that waits, one after another. After a refusal it gets
 * no new ones for a second, then for longer and longer, until it takes one; those that were refused are offered again in their own time.
 */
export function createEngineLoad(
  clock: Clock,
  limits: Pick<EngineLimits, 'of' | 'refused' | 'succeeded'>,
  local: Pick<LocalCapacity, 'of'>,
): EngineLoad {
  const pauses = new Map<string, Pause>();
  return {
    ...createCallWatch(clock),
    limitOf: (engine) => (engine.isLocal === true ? local.of(engine) : limits.of(engine)),
    isHeldBack(engine) {
      const pause = pauses.get(engine);
      return pause !== undefined && clock.now() < pause.until;
    },
    refused(engine) {
      limits.refused(engine);
      const before = pauses.get(engine.name);
      const now = clock.now();
      // Those that went out together are refused together, which counts once.
      if (before !== undefined && now < before.until) return;
      const lengthMs = before === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, before.lengthMs * 2);
      pauses.set(engine.name, { until: now + lengthMs, lengthMs });
    },
    succeeded(engine) {
      limits.succeeded(engine);
      if (pauses.size > 0) pauses.delete(engine.name);
    },
    letThrough: (engine) => void pauses.delete(engine),
  };
}
