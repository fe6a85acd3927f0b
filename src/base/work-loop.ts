/** Looks for work again and again: at once when woken, else after a while. */
export interface WorkLoop {
  /** There may be something to do. A wake that comes while it looks is not lost. */
  wake(): void;
  /** Resolves when the look under way is over; there will be no other. */
  stop(): Promise<void>;
}

/**
 * @param options.look does what there is to do and answers how long to rest, in milliseconds.
 * @param options.restMs the rest after a look that failed.
 */
export function startWorkLoop(options: {
  readonly look: () => Promise<number>;
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
        ms = await options.look();
      } catch (error) {
        options.onError(error);
      }
      if (ms > 0 && !woken && !stopping) await rest(ms);
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
