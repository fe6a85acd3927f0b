import { type Clock, systemClock } from '@darkroom-service/contract/clock';
import { given } from '../base/given.ts';
import { assertNotHalfCopied } from './copy-database.ts';
import type { CommitHook, Database } from './database.ts';
import { openSqlite } from './sqlite-database.ts';

interface DatabaseOptions {
  /** `postgres://…`; null = the embedded database. */
  readonly url: string | null;
  /** Where to listen to other processes, if `url` leads to a pooler of transactions. */
  readonly listenUrl?: string | null | undefined;
  /** A NATS server that carries notices instead of PostgreSQL. */
  readonly noticesUrl?: string | null | undefined;
  /** A standby of the server that may answer lists and reports. */
  readonly replicaUrl?: string | null | undefined;
  /** The file of the embedded database. */
  readonly path: string;
  /** For tests that move leases. Default: the database's own clock. */
  readonly clock?: Clock | undefined;
  readonly commitHook?: CommitHook | undefined;
  /** Called with errors that no caller waits for. */
  readonly onFault?: ((error: unknown, what: string) => void) | undefined;
  /** Whether to receive other processes' notifications; a command that does one thing and exits need not. */
  readonly listen?: boolean | undefined;
  /** What creates the tables of each addition, where they are missing. */
  readonly added?: readonly string[] | undefined;
}

/**
 * Opens the configured database and migrates its schema.
 * @throws Error when it cannot be reached, its schema is newer than this code, or it is an unfinished copy.
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
  const { url, listenUrl = null, noticesUrl = null, replicaUrl = null } = options;
  const { path, clock, commitHook, onFault, listen, added } = options;
  const hook = given({ commitHook, added });
  if (url === null) return await openSqlite({ path, clock: clock ?? systemClock, ...hook });
  // Loaded only for PostgreSQL, because most installations need no client for it.
  const { openPostgres } = await import('./postgres-database.ts');
  return await openPostgres({
    url,
    listenUrl,
    noticesUrl,
    replicaUrl,
    ...hook,
    ...given({ clock, onFault, listen }),
  });
}
