const SOONEST_MS = 1_000;
const LATEST_MS = 15_000;
const SHARE_OF_RUNNING_TIME = 1 / 14;
/** A tenth of chance, so that orders that began together are not asked for together. */
const SPREAD = 0.1;

/**
 * How long an order that is not done is left alone: a fourteenth of the time that it runs already, from one second to fifteen. So a result waits
 * for a second or two, or a tenth of the time that it took, and an hour's film is not asked for as often as a picture.
 * @param runningMs since it was handed over, in milliseconds
 * @param chance from 0 up to 1
 */
export function checkPauseMs(runningMs: number, chance = Math.random()): number {
  const even = Math.min(LATEST_MS, Math.max(SOONEST_MS, runningMs * SHARE_OF_RUNNING_TIME));
  return even * (1 - SPREAD / 2 + chance * SPREAD);
}
