import { isDoneWithin, world } from '@darkroom-service/contract';
import type { Log } from '../base/log.ts';

/**
 * Time limit of closing. After it a stop leaves the rest to the next start, as a kill does: while the database hangs,
 * each statement waits for 25 seconds, one after the other.
 */
const CLOSES_WITHIN_MS = 13_000;

/**
 * The phase of a start or a stop. `leaving`: the stop is announced and all requests are answered; `stopping`: orders
 * are refused while calls that cannot be resumed finish.
 */
type Phase = 'starting' | 'serving' | 'leaving' | 'stopping';

/** The phase of the service, and the time limits of its stop. */
export class Stopping {
  phase: Phase = 'starting';
  /** Time that the stop waits for calls that cannot be resumed. */
  drainMs: number;
  readonly #hurried = Promise.withResolvers<void>();

  constructor(drainMs: number) {
    this.drainMs = drainMs;
  }

  /** Resolves when the announced stop may continue: after that time, or once `hurry` is called. */
  async announced(ms: number): Promise<void> {
    if (ms === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const elapsed = new Promise<void>((resolve) => {
      timer = world.setTimeout(resolve, ms);
    });
    await Promise.race([elapsed, this.#hurried.promise]).finally(() => world.clearTimeout(timer));
  }

  hurry(): void {
    this.#hurried.resolve();
  }
}

export interface StopOptions {
  /** Waits for nothing. */
  readonly now?: boolean;
  /** False: skips the announcement. */
  readonly announce?: boolean;
}

interface StopParts {
  readonly log: Log;
  readonly lameDuckMs: number;
  /** Null: this process has none. */
  readonly worker: { stopRunner(): Promise<void> } | null;
  readonly closers: AsyncDisposableStack;
}

/** Returns the function that stops the service, which does it once. */
export function createStop(stopping: Stopping, { log, lameDuckMs, worker, closers }: StopParts) {
  let stopped: Promise<void> | null = null;
  const leave = async (announce: boolean) => {
    stopping.phase = 'leaving';
    log.info({ announce_ms: announce ? lameDuckMs : 0, drain_ms: stopping.drainMs }, 'stopping');
    // The runner's closer reports a failure of this.
    const drained = worker?.stopRunner().catch(() => {});
    if (announce) await stopping.announced(lameDuckMs);
    stopping.phase = 'stopping';
    const closed = Promise.resolve(drained).then(() => closers.disposeAsync());
    if (await isDoneWithin(stopping.drainMs + CLOSES_WITHIN_MS, closed)) log.info('stopped');
    else {
      closed.catch(() => {});
      log.warn({ closes_within_ms: CLOSES_WITHIN_MS }, 'stopped before everything was closed');
    }
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  };
  return async ({ now = false, announce = true }: StopOptions = {}): Promise<void> => {
    if (now || !announce) stopping.hurry();
    if (now) stopping.drainMs = 0;
    stopped ??= leave(announce && !now);
    await stopped;
  };
}
