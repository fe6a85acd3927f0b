import { type Clock, world } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { RateKind, RateLimits } from '../accounts/rate-limits.ts';
import type { EngineLimits } from '../routing/engine-limits.ts';
import { type CallWatch, createCallWatch } from './call-watch.ts';
import type { LocalCapacity } from './local-capacity.ts';

/** Load of an engine: its limit over all processes, and the rate at which this process submits new orders. */
export interface EngineLoad extends CallWatch {
  /** Returns the current limit of orders in progress, over all processes. */
  limitOf(engine: Pick<Engine, 'name' | 'concurrency' | 'adapts' | 'isLocal'>): number;
  /** Tells whether new orders pause because the engine has just refused one. */
  isBackingOff(engine: string): boolean;
  /** Tells whether answers can be written to the disk of this process. */
  canSpool(): boolean;
  /**
   * Reports that an order may have been accepted or not. New orders pause until `trust`, while a free call finds out
   * whether the upstream works.
   * @returns false if it is in doubt already
   */
  doubt(engine: string): boolean;
  trust(engine: string): void;
  /** Reports a refusal because the engine is busy or limits the rate. */
  refused(engine: Engine): void;
  /** Reports an accepted order. */
  succeeded(engine: Engine): void;
  /**
   * Counts a submission against the operator's limit per minute.
   * @returns null if it may be made; else the time that the limit lasts, in ms
   */
  countSubmission(engine: Engine): Promise<number | null>;
  /**
   * Counts a check against the upstream's limit per minute, over all processes.
   * @returns null if it may be made; else the pause, in ms
   */
  countCheck(engine: Engine): Promise<number | null>;
  /** Reports an opened valve: new orders are submitted at once. */
  letThrough(engine: string): void;
}

/** The state of this process that its engines' load depends on. */
export interface Machine {
  readonly canSpool: () => boolean;
  /** Returns the total time in which this process stood still, in milliseconds. */
  readonly stalledMs: () => number;
}

/** Maximum jitter of checks that wait for the same minute. */
const SPREAD_MS = 5_000;
/** Pause while this installation has no share of a limit per minute. */
const WITHOUT_PART_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Pause {
  readonly until: number;
  readonly lengthMs: number;
}

/**
 * Creates the load of engines. Refused orders hold no slot, so a full upstream would be offered every waiting order in
 * turn. After a refusal, new orders pause for one second, then longer each time, until one is accepted. Refused orders
 * are submitted again on their own schedule.
 */
export function createEngineLoad(
  clock: Clock,
  limits: Pick<EngineLimits, 'of' | 'refused' | 'succeeded' | 'perMinuteOf'>,
  local: Pick<LocalCapacity, 'of'>,
  pace: RateLimits,
  machine: Machine,
): EngineLoad {
  const pauses = new Map<string, Pause>();
  const inDoubt = new Set<string>();
  return {
    ...createCallWatch(clock, machine.stalledMs),
    canSpool: machine.canSpool,
    doubt(engine) {
      if (inDoubt.has(engine)) return false;
      inDoubt.add(engine);
      return true;
    },
    trust: (engine) => void inDoubt.delete(engine),
    limitOf: (engine) => (engine.isLocal === true ? local.of(engine) : limits.of(engine)),
    isBackingOff(engine) {
      const pause = pauses.get(engine);
      return inDoubt.has(engine) || (pause !== undefined && clock.now() < pause.until);
    },
    refused(engine) {
      limits.refused(engine);
      const before = pauses.get(engine.name);
      const now = clock.now();
      // Orders submitted together are refused together, which counts once.
      if (before !== undefined && now < before.until) return;
      const lengthMs = before === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, before.lengthMs * 2);
      pauses.set(engine.name, { until: now + lengthMs, lengthMs });
    },
    succeeded(engine) {
      limits.succeeded(engine);
      if (pauses.size > 0) pauses.delete(engine.name);
    },
    async countSubmission({ name, instance }) {
      const limit = instance?.submissionsPerMinute ?? null;
      return limit === null ? null : await take(name, 'creates', limit);
    },
    async countCheck({ name, checksPerMinute }) {
      if (checksPerMinute === undefined) return null;
      const waitMs = await take(name, 'reads', checksPerMinute);
      return waitMs === null ? null : waitMs + world.random() * SPREAD_MS;
    },
    letThrough: (engine) => void pauses.delete(engine),
  };

  async function take(engine: string, kind: RateKind, perMinute: number): Promise<number | null> {
    const limit = limits.perMinuteOf?.(engine, kind, perMinute) ?? perMinute;
    if (limit === 0) return WITHOUT_PART_MS;
    // Keys of customers have no slash in their id.
    const decision = await pace.take(`engine/${engine}`, kind, limit);
    return decision === null || decision.allowed ? null : decision.state.resetSeconds * 1000;
  }
}
