import { world } from '@darkroom-service/contract';

/** Periodic rounds that never overlap. */
export interface Rounds {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  /** Runs a round now, or waits for the one that runs. */
  run(): Promise<void>;
  /** Resolves when the current round has ended; no other follows. */
  stop(): Promise<void>;
}

/**
 * Starts rounds that run one at a time.
 * @param options.everyMs null: rounds run only when `run` is called
 * @param options.onError gets a round's error; the next round runs regardless
 */
export function startRounds(options: {
  readonly everyMs: number | null;
  readonly round: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}): Rounds {
  const { everyMs, round, onError } = options;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= round()
      .then(() => {}, onError)
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = everyMs === null ? undefined : world.setInterval(run, everyMs);
  timer?.unref();
  return {
    signal: stopping.signal,
    run,
    async stop() {
      stopping.abort();
      world.clearInterval(timer);
      await running;
    },
  };
}
