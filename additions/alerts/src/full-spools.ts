import { dirname } from 'node:path';
import type { Clock } from '@darkroom-service/contract';
import type { Store } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';

/** Age up to which an alert counts: two rounds of `alert-watch.ts`. */
const KNOWN_MS = 150_000;
const ALIVE_MS = 60_000;

/**
 * Returns the name of a machine's directory in alerts: several processes of one machine may have disks of their own.
 */
export function placeOf(host: string, directory: string): string {
  return `${host}:${directory}`;
}

/** Returns the scope of the alerts about the disk of a process. */
export function diskScope(host: string, dataDirectory: string): string {
  return `disk:${placeOf(host, dataDirectory)}`;
}

/**
 * Tells whether all other running workers have disks that refuse answers, by their alerts.
 * @returns null if there is no other worker
 */
export async function othersCannotSpool(
  { read }: Pick<Store, 'read'>,
  clock: Clock,
  ownProcess: string,
): Promise<boolean | null> {
  const workers = await read.all(
    read.builder
      .selectFrom('processes')
      .select(['host', 'lock_path'])
      .where('id', '<>', ownProcess)
      .where('role', '<>', 'api')
      .where('ended_at', 'is', null)
      .where('beat_at', '>', sql<number>`${read.now} - ${sql.lit(ALIVE_MS)}`),
  );
  if (workers.length === 0) return null;
  const alerts = await read.all(
    read.builder
      .selectFrom('alerts')
      .select('scope')
      .where('kind', '=', 'spool_unavailable')
      .where('ended_at', 'is', null)
      .where('seen_at', '>', clock.now() - KNOWN_MS),
  );
  const full = new Set(alerts.map(({ scope }) => scope));
  // A lock is in `processes/` of the data directory.
  return workers.every((worker) => full.has(diskScope(worker.host, dirname(dirname(worker.lock_path)))));
}
