import type { Clock, EngineLimitsView } from '@darkroom-service/contract';
import { callTimeoutOf, type Engine } from '@darkroom-service/engines';
import { type Compilable, sql } from 'kysely';
import type { RateKind } from '../accounts/rate-limits.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { hasRoomFor } from '../queue/queue-capacity.ts';
import { liveQueueOf } from '../queue/queue-names.ts';

/** The parts of an engine that limit its number of concurrent orders. */
export type LimitedEngine = Pick<Engine, 'name' | 'concurrency' | 'adapts'>;

/** Returns the limits of an engine as operators see them. @param engine undefined if it is not configured */
export function viewLimits(engine: Engine | undefined, limits: Pick<EngineLimits, 'of'>): EngineLimitsView | null {
  if (engine === undefined) return null;
  const concurrency = limits.of(engine);
  const { floor, ceiling } = engine.adapts ?? { floor: concurrency, ceiling: concurrency };
  return { concurrency, floor, ceiling, start_seconds: callTimeoutOf(engine) / 1000 };
}

/** Adaptive limits of engines, shared by all processes through the database. */
export interface EngineLimits {
  /** Returns the current maximum of the engine's orders in progress, over all processes. */
  of(engine: LimitedEngine): number;
  /** Reports a refusal as busy or rate-limited: halves the limit, at most once in ten seconds. */
  refused(engine: LimitedEngine): void;
  /** Reports an accepted order. */
  succeeded(engine: LimitedEngine): void;
  /** Returns this installation's part of a limit per minute of an engine. Absent = all of it. */
  perMinuteOf?(engine: string, kind: RateKind, limit: number): number;
  /** Reads the changes of other processes, and raises limits that orders wait for. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

interface EngineLimitsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly engines: () => Iterable<LimitedEngine>;
  readonly onChange: (engine: string, change: { readonly from: number; readonly to: number }) => void;
  readonly startRefresh: StartRefresh;
}

const LOOK_EVERY_MS = 1_000;
/** Minimum time between two changes of a limit. */
export const CHANGE_EVERY_MS = 10_000;
/** Share of its initial value by which a limit rises. */
const STEP = 1 / 4;

/** Returns the limit that an engine starts with, or has changed to, within its bounds as they are now. */
export function boundedLimit({ concurrency, adapts }: LimitedEngine, limit = concurrency): number {
  return adapts === undefined ? concurrency : Math.min(adapts.ceiling, Math.max(adapts.floor, limit));
}

/** Returns the limit after a refusal. */
function loweredLimit(engine: LimitedEngine, limit: number): number {
  return boundedLimit(engine, Math.floor(limit / 2));
}

/** Returns the limit after orders were accepted while more waited. */
function raisedLimit(engine: LimitedEngine, limit: number): number {
  return boundedLimit(engine, limit + Math.max(1, Math.floor(engine.concurrency * STEP)));
}

/** Answers of the upstreams to orders of this process, and the limits that follow from them. */
export interface Answers extends Pick<EngineLimits, 'refused' | 'succeeded'> {
  /** Returns the limit that an engine starts with, or has changed to, within its bounds as they are now. */
  boundedLimit(engine: LimitedEngine, limit?: number): number;
  /** Returns the next limit. @param isFull whether more orders wait than the limit allows */
  nextLimit(engine: LimitedEngine, limit: number, isFull: boolean): number;
  /** Forgets the answers, because the limit has changed. */
  forget(engine: LimitedEngine): void;
}

/**
 * Remembers the upstreams' answers since their limits last changed. A refusal counts at the next look
 * only: later, the orders that were refused may be from before another process lowered the limit.
 */
export function createAnswers(): Answers {
  const took = new Set<string>();
  const refusals = new Set<string>();
  return {
    refused({ name, adapts }) {
      took.delete(name);
      if (adapts !== undefined) refusals.add(name);
    },
    succeeded({ name, adapts }) {
      if (adapts !== undefined) took.add(name);
    },
    boundedLimit,
    nextLimit(engine, limit, isFull) {
      if (refusals.delete(engine.name)) return loweredLimit(engine, limit);
      return took.has(engine.name) && isFull ? raisedLimit(engine, limit) : limit;
    },
    forget: ({ name }) => void took.delete(name),
  };
}

interface Known {
  readonly concurrency: number;
  readonly changed_at: number;
}

/**
 * Opens the adaptive limits: additive increase, multiplicative decrease. While the upstream accepts every order and
 * more orders wait, the limit rises by a quarter of its initial value every ten seconds; a refusal halves it. So slow
 * calls do not cap the throughput, and a busy upstream is not flooded. An engine with a fixed limit has no row.
 */
export async function openEngineLimits(options: EngineLimitsOptions): Promise<EngineLimits> {
  const { database, clock, engines, onChange } = options;
  let known = new Map<string, Known>();
  const answers = createAnswers();

  const of = (engine: LimitedEngine) => boundedLimit(engine, known.get(engine.name)?.concurrency);

  async function refresh(): Promise<void> {
    const { read } = database;
    const rows = await read.all(
      read.builder
        .selectFrom('instances')
        .select(['engine', 'concurrency', 'changed_at'])
        .where('changed_at', 'is not', null)
        .$narrowType<Known>(),
    );
    known = new Map(rows.map((row) => [row.engine, row]));
  }

  /** Changes a limit. If several processes change it at the same time, only one succeeds. */
  async function change(engine: LimitedEngine, to: number, isNeeded: (trx: Transaction) => Promise<boolean>) {
    const from = of(engine);
    const before = known.get(engine.name)?.changed_at ?? null;
    const now = clock.now();
    if (to === from || (before !== null && now - before < CHANGE_EVERY_MS)) return;
    const changed = await database.write('engine_limit', async (trx) =>
      (await isNeeded(trx)) ? await trx.run(setLimit(trx, engine.name, to, now, before)) : 0,
    );
    if (changed === 0) return;
    answers.forget(engine);
    await refresh();
    onChange(engine.name, { from, to });
  }

  async function readAll(): Promise<void> {
    const adapting = [...engines()].filter(({ adapts }) => adapts !== undefined);
    if (adapting.length === 0) return;
    await refresh();
    for (const engine of adapting) {
      const limit = of(engine);
      const next = answers.nextLimit(engine, limit, true);
      const isFull = async (trx: Transaction) => !(await hasRoomFor(trx, liveQueueOf(engine.name), limit));
      await change(engine, next, async (trx) => next < limit || (await isFull(trx)));
    }
  }

  const refreshing = await options.startRefresh('engine_limits', LOOK_EVERY_MS, readAll);
  return {
    of,
    refused: answers.refused,
    succeeded: answers.succeeded,
    refresh: refreshing.now,
    stop: refreshing.stop,
  };
}

function setLimit(
  { builder }: Session,
  engine: string,
  concurrency: number,
  now: number,
  before: number | null,
): Compilable<unknown> {
  return builder
    .insertInto('instances')
    .values({ engine, worker: '', concurrency, changed_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['engine', 'worker'])
        .doUpdateSet({ concurrency, changed_at: now })
        .where(sql<number>`coalesce(instances.changed_at, -1)`, '=', before ?? -1),
    );
}
