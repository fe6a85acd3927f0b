import { world } from '@darkroom-service/contract';

const SOONEST_MS = 1_000;
const LATEST_MS = 15_000;
const SHARE_OF_RUNNING_TIME = 1 / 14;
/** Pause between the checks of an order whose upstream will call. */
const NET_MS = 30_000;
/** ±5 % jitter, so that orders that started together are not checked together. */
const SPREAD = 0.1;

/**
 * Returns the pause in milliseconds before the next check: 1/14 of the running time, from 1 to 15 s. So a result waits
 * at most two seconds or a tenth of its running time, and long videos are checked less often than images.
 * @param runningMs the time since the submission
 * @param chance spreads the pause, from 0 up to 1
 */
export function checkPauseMs(runningMs: number, chance = world.random()): number {
  const even = Math.min(LATEST_MS, Math.max(SOONEST_MS, runningMs * SHARE_OF_RUNNING_TIME));
  return even * (1 - SPREAD / 2 + chance * SPREAD);
}

/**
 * Returns the pause in milliseconds before the next check of an order whose upstream will call: one check at the
 * expected end, then every 30 s, for callbacks that get lost.
 * @param runningMs the time since the submission
 * @param typicalSeconds typical duration of such orders, in seconds; null if unknown
 * @param chance spreads the pause, from 0 up to 1
 */
export function callbackPauseMs(runningMs: number, typicalSeconds: number | null, chance = world.random()): number {
  const untilEndMs = (typicalSeconds ?? 0) * 1000 - runningMs;
  // Never before the expected end: a second check would follow.
  return (untilEndMs > 0 ? Math.max(SOONEST_MS, untilEndMs) : NET_MS) * (1 + chance * SPREAD);
}
