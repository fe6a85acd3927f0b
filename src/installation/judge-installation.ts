/** The identity of an installation's server and database. Null = unknown, which proves nothing. */
export interface Identity {
  readonly systemId: string | null;
  readonly databaseOid: number | null;
}

/** The mark in the storage (`installation.json`). */
export interface Mark {
  readonly id: string;
  readonly owner: string;
  readonly beat: number;
}

/**
 * `restored`: another server or database than the row names. `rolled_back`: later beats were committed than the
 * database has. `other_storage`: the storage belongs to another installation.
 */
export type Mismatch = 'restored' | 'rolled_back' | 'other_storage';

/**
 * Decides whether a database may be a copy, so that its orders may have been sent by another. Pure.
 * @param row the row as read after the mark
 * @param found the server that answers now, the mark (null = none, or the storage does not answer), and the highest
 * beat that this process has seen committed
 * @returns null if it may send
 */
export function judgeInstallation(
  row: Mark & Identity,
  found: Identity & { readonly mark: Mark | null; readonly seenBeat: number },
): Mismatch | null {
  const { mark } = found;
  if (mark !== null && mark.id !== row.id) return 'other_storage';
  if (differ(row.systemId, found.systemId) || differ(row.databaseOid, found.databaseOid)) return 'restored';
  if (row.beat < found.seenBeat) return 'rolled_back';
  if (mark === null || mark.beat < row.beat) return null;
  // Each beat is committed before it is in the storage, and has an owner of its own.
  return mark.beat > row.beat || mark.owner !== row.owner ? 'rolled_back' : null;
}

function differ<T>(known: T | null, found: T | null): boolean {
  return known !== null && found !== null && known !== found;
}

/** A worker submits only while the last beat that it has seen committed is younger than this. */
export const BEAT_LASTS_MS = 60_000;
export const BEAT_EVERY_MS = 20_000;
