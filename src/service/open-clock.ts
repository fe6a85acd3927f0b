import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import { openDatabaseClock } from '../database/database-clock.ts';
import type { StartRefresh } from '../database/refresh.ts';

/**
 * Opens the service's clock: the machine's with the embedded database, otherwise one that follows the database
 * server's.
 */
export async function openClock(
  database: Database,
  { clock, processClock = systemClock }: { readonly clock?: Clock; readonly processClock?: Clock },
  log: Log,
  startRefresh: StartRefresh,
  closers: AsyncDisposableStack,
): Promise<Clock> {
  if (clock !== undefined) return clock;
  if (database.kind === 'sqlite') return processClock;
  const followed = await openDatabaseClock({
    database,
    own: processClock,
    startRefresh,
    onSkew(aheadMs) {
      if (aheadMs === 0) log.info('clock matches the database again');
      else
        log.warn(
          { ahead_ms: Math.round(aheadMs) },
          'clock differs from the database; using the time of the database. Synchronize the clock of this machine, for example with NTP',
        );
    },
  });
  closers.defer(() => followed.stop());
  return followed;
}
