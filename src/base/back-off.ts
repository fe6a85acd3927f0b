import { world } from '@darkroom-service/contract';

/**
 * Returns the delay in milliseconds before the next try: 1 s, doubled for each try that has failed, with ±10 % jitter,
 * so that retries after a common failure do not all arrive at once.
 * @param attempts number of tries that have failed: 0 gives 1 s, 1 gives 2 s
 * @param chance spreads the delay, from 0 up to 1
 * @param longestMs maximum of the delay, without jitter
 */
export function backOff(attempts: number, chance = world.random(), longestMs = 60_000): number {
  return withJitter(Math.min(longestMs, 1000 * 2 ** attempts), chance);
}

/**
 * Returns the delay before the next try by a schedule, with the same jitter; null after the last one.
 * @param attempts number of tries that have failed before this one
 */
export function pauseAfter(attempts: number, pausesMs: readonly number[]): number | null {
  const pause = pausesMs[attempts];
  return pause === undefined ? null : withJitter(pause, world.random());
}

function withJitter(delayMs: number, chance: number): number {
  return delayMs * (0.9 + chance * 0.2);
}
