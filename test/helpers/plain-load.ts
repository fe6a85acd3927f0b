import { type Clock, systemClock } from '@darkroom-service/contract';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { createEngineLoad, type EngineLoad } from '../../src/worker/engine-load.ts';

/** The load of engines whose limits are fixed. */
export function plainLoad(clock: Clock = systemClock): EngineLoad {
  const fixed = { of: ({ concurrency }: { readonly concurrency: number }) => concurrency };
  return createEngineLoad(
    clock,
    { ...fixed, refused: () => {}, succeeded: () => {} },
    fixed,
    createRateLimits({ now: () => clock.now() }),
    { canSpool: () => true, stalledMs: () => 0 },
  );
}
