import { world } from '@darkroom-service/contract';

/**
 * The phase of a start or a stop. `leaving`: the stop is announced and all requests are answered; `stopping`: orders
 * are refused while calls that cannot be resumed finish.
 */
type Phase = 'starting' | 'serving' | 'leaving' | 'stopping';

export interface Stopping {
  phase: Phase;
  /** Time that the stop waits for calls that cannot be resumed. */
  drainMs: number;
  /** Resolves when the announced stop may continue: after that time, or once `hurry` is called. */
  announced(ms: number): Promise<void>;
  hurry(): void;
}

export function createStopping({ drainMs }: { readonly drainMs: number }): Stopping {
  const hurried = Promise.withResolvers<void>();
  return {
    phase: 'starting',
    drainMs,
    async announced(ms) {
      if (ms === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = world.setTimeout(resolve, ms);
      });
      await Promise.race([elapsed, hurried.promise]).finally(() => world.clearTimeout(timer));
    },
    hurry: hurried.resolve,
  };
}
