import { hash } from 'node:crypto';
import type { Storage } from '@darkroom-service/media';
import type { Database } from '../database/database.ts';
import { identifyServer } from './identify-server.ts';
import { updateRow } from './installation-row.ts';
import { readMark, writeMark } from './mark.ts';
import type { InstallationRow, ReleaseChoice, Suspension } from './suspension.ts';

/** Number added to the beat by a successor: far above every beat that another copy commits until it reads the mark. */
const SUCCESSOR_BEATS = 1_000_000;

/**
 * Ends a hold by its release. Two processes that do it at the same time write the same.
 * @param storage the storage as the installation uses it
 * @returns the id of the installation from now on
 */
export async function endRelease(
  database: Database,
  storage: Storage,
  row: InstallationRow,
  { since }: Suspension,
  { as }: ReleaseChoice,
): Promise<string> {
  const { systemId: system_id, databaseOid: database_oid } = await identifyServer(database);
  const owner = `release-${since}`;
  const mark = await readMark(storage);
  const last = mark?.owner === owner ? mark.beat - SUCCESSOR_BEATS : Math.max(row.beat, mark?.beat ?? 0);
  const beat = last + SUCCESSOR_BEATS;
  // A directory that no other installation marks belongs to this one alone, as `restore` leaves it. A bucket may be
  // shared.
  const isAlone = storage.isLocal && row.prefix === null && (mark === null || mark.owner === owner) && as === 'copy';
  const id = as === 'copy' ? newId(row.id, since) : row.id;
  if (as === 'successor' || isAlone) await writeMark(storage, { id, owner, beat });
  await updateRow(database, 'end_hold', (set) =>
    set
      .set({ id, owner, beat, system_id, database_oid, held: null })
      .set(as === 'copy' && !isAlone ? { prefix: `copies/${id}` } : {})
      .where('held', '=', row.held),
  );
  return id;
}

/** Returns the new id, the same in every process that carries out a release. */
function newId(id: string, since: number): string {
  return `ins_${hash('sha256', `${id} ${since}`).slice(0, 26)}`;
}
