import { type Clock, world } from '@darkroom-service/contract';
import type { Database } from './database.ts';
import type { StartRefresh } from './refresh.ts';

/** A clock that follows the database's, so that times written by one process mean the same to all others. */
interface DatabaseClock extends Clock {
  /** Milliseconds by which the process's clock is ahead of the database's, as last measured. */
  readonly aheadMs: number;
  stop(): Promise<void>;
}

const REFRESH_MS = 1_000;
/** Smaller differences are measurement errors; following them would make the time jump back and forth. */
const TOLERANCE_MS = 250;
/** A response slower than this does not tell precisely enough when the database read its clock. */
const SLOW_ANSWER_MS = 2_000;
const SKEW_REPORTED_MS = 5_000;

/**
 * Measures the database's clock now and once a second. While the database cannot be reached, the last measurement
 * applies.
 * @param options.onSkew called with the difference in ms when the process's clock starts to differ by more than five
 * seconds, and with 0 when it no longer does.
 */
export async function openDatabaseClock(options: {
  readonly database: Pick<Database, 'read'>;
  readonly own: Clock;
  readonly onSkew: (aheadMs: number) => void;
  readonly startRefresh: StartRefresh;
}): Promise<DatabaseClock> {
  const { database, own, onSkew } = options;
  let aheadMs = 0;
  let isSkewReported = false;

  const refresh = await options.startRefresh('clock', REFRESH_MS, async () => {
    const { read } = database;
    const asked = world.monotonic();
    const row = await read.first(read.builder.selectNoFrom(read.now.as('now')));
    const tookMs = world.monotonic() - asked;
    if (row === undefined || tookMs > SLOW_ANSWER_MS) return;
    const measured = own.now() - tookMs / 2 - row.now;
    if (Math.abs(measured - aheadMs) > TOLERANCE_MS) aheadMs = Math.abs(measured) > TOLERANCE_MS ? measured : 0;
    const isSkewed = Math.abs(aheadMs) > SKEW_REPORTED_MS;
    if (isSkewed !== isSkewReported) onSkew(isSkewed ? aheadMs : 0);
    isSkewReported = isSkewed;
  });
  return {
    now: () => Math.round(own.now() - aheadMs),
    get aheadMs() {
      return aheadMs;
    },
    stop: refresh.stop,
  };
}
