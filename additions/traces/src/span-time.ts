import { world } from '@darkroom-service/contract';
import type { HrTime } from '@opentelemetry/api';

/**
 * Converts a time to the SDK's form.
 * @param ms milliseconds since 1970; the SDK treats numbers below its own start as relative ones
 */
export function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

/** Starts a stopwatch on the monotonic clock. @returns a function that returns the milliseconds since this call */
export function stopwatch(): () => number {
  const began = world.monotonic();
  return () => world.monotonic() - began;
}
