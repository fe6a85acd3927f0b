import { type Clock, systemClock } from '../base/clock.ts';
import { assertNotHalfCopied } from './copy-database.ts';
import type { CommitHook, Database } from './database.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';

export interface DatabaseOptions {
  /** `postgres://…`; null = the embedded database. */
  readonly url: string | null;
  /** The file of the embedded database. */
  readonly path: string;
  /** For tests that move leases; left out it is the database's own clock. */
  readonly clock?: Clock | undefined;
  readonly commitHook?: CommitHook | undefined;
  /** Told of what goes wrong where nobody waits for an answer. */
  readonly onFault?: ((error: unknown, what: string) => void) | undefined;
  /** Whether other processes are listened to; a command that does one thing and ends need not. */
  readonly listen?: boolean | undefined;
}

/**
 * Opens the database that the settings name and brings its schema up to date.
 * @throws Error when it cannot be reached, its schema is newer than this code, or it is half a copy.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await open(options);
  try {
    await assertNotHalfCopied(database.read);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(options: DatabaseOptions): Promise<Database> {
  const { url, path, clock, commitHook, onFault, listen } = options;
  const hook = commitHook === undefined ? {} : { commitHook };
  if (url === null) return await openSqlite({ path, clock: clock ?? systemClock, ...hook });
  return await openPostgres({
    url,
    ...hook,
    ...(clock === undefined ? {} : { clock }),
    ...(onFault === undefined ? {} : { onFault }),
    ...(listen === undefined ? {} : { listen }),
  });
}
