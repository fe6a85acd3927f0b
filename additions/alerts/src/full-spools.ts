import { dirname } from 'node:path';
import type { Check, Question } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';
import { remedyOf } from './condition.ts';

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

/** Tells whether some running worker other than the asking process has a disk that takes answers, by their alerts. */
export async function diagnoseWorkerDisks({
  now,
  process,
  read,
}: Pick<Question, 'now' | 'process' | 'read'>): Promise<Check[]> {
  if (read === null) return [];
  const workers = await read.all(
    read.builder
      .selectFrom('processes')
      .select(['host', 'lock_path'])
      .where('id', '<>', process ?? '')
      .where('role', '<>', 'api')
      .where('ended_at', 'is', null)
      .where('beat_at', '>', sql<number>`${read.now} - ${sql.lit(ALIVE_MS)}`),
  );
  if (workers.length === 0) return [];
  const alerts = await read.all(
    read.builder
      .selectFrom('alerts')
      .select('scope')
      .where('kind', '=', 'spool_unavailable')
      .where('ended_at', 'is', null)
      .where('seen_at', '>', now - KNOWN_MS),
  );
  const full = new Set(alerts.map(({ scope }) => scope));
  // A lock is in `processes/` of the data directory.
  const takes = workers.filter((worker) => !full.has(diskScope(worker.host, dirname(dirname(worker.lock_path)))));
  const found = `${takes.length} of ${workers.length} take answers of engines`;
  if (takes.length > 0) return [{ name: 'disks of workers', status: 'ok', found, advice: null }];
  return [{ name: 'disks of workers', status: 'failed', found, advice: remedyOf('spool_unavailable').action }];
}
