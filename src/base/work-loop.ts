import { world } from '@darkroom-service/contract';

/** Calls a function repeatedly: at once when woken, otherwise after a rest. */
export interface WorkLoop {
  /** Signals that there may be work. A wake while `run` works is not lost. */
  wake(): void;
  /** Resolves when the current call of `run` has ended; no other follows. */
  stop(): Promise<void>;
}

/**
 * Starts a loop that calls `run` and rests between the calls.
 * @param options.run does the pending work and returns the rest in milliseconds.
 * @param options.restMs rest after `run` threw.
 */
export function startWorkLoop(options: {
  readonly run: () => Promise<number>;
  readonly restMs: number;
  readonly onError: (error: unknown) => void;
}): WorkLoop {
  let stopping = false;
  let woken = false;
  let endRest: () => void = () => {};
  const loop = run();
  return {
    wake,
    async stop() {
      stopping = true;
      wake();
      await loop;
    },
  };

  function wake(): void {
    woken = true;
    endRest();
  }

  async function run(): Promise<void> {
    while (!stopping) {
      woken = false;
      let ms = options.restMs;
      try {
        ms = await options.run();
      } catch (error) {
        options.onError(error);
      }
      if (ms > 0 && !woken && !stopping) await rest(ms);
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = world.setTimeout(resolve, ms);
      endRest = () => {
        world.clearTimeout(timer);
        resolve();
      };
    });
  }
}
