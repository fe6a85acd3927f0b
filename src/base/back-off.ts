/**
 * Returns the delay in milliseconds before the next try: 2 s, 4 s, 8 s … at most a minute, with ±10 % jitter.
 * @param attempts how many have failed; 0 gives 1 s
 * @param chance spreads the delay, from 0 up to 1
 */
export function backOff(attempts: number, chance = Math.random()): number {
  return withJitter(Math.min(60_000, 1000 * 2 ** attempts), chance);
}

/**
 * Returns a delay with ±10 % jitter, so that retries after a common failure do not all arrive at once.
 * @param chance spreads the delay, from 0 up to 1
 */
export function withJitter(delayMs: number, chance = Math.random()): number {
  return delayMs * (0.9 + chance * 0.2);
}
