import { systemClock } from '@darkroom-service/contract';
import type { PostgresOptions } from './postgres-database.ts';
import { openSqlite, type SqliteOptions } from './sqlite-database.ts';
import type { Store } from './store.ts';

/** The address of a database, and its schema. */
export interface StoreOptions<S> extends Omit<PostgresOptions<S>, 'url'> {
  /** The address of a PostgreSQL server; null = an SQLite file. */
  readonly url: string | null;
  /** The SQLite file; created if absent. */
  readonly path: string;
  /** Settings for flushes and checkpoints of the SQLite file, for simulators of its disk. */
  readonly log?: SqliteOptions['log'];
  /** The module of SQLite that reads and writes the file, for simulators of its disk. */
  readonly vfs?: SqliteOptions['vfs'];
}

/**
 * Opens a database and migrates its schema.
 * @throws Error when it cannot be reached, or its schema is newer than the plan.
 */
export async function openStore<S>(options: StoreOptions<S>): Promise<Store<S>> {
  const { url, path, clock = systemClock, commitHook, plan, log, vfs } = options;
  if (url === null) return await openSqlite({ path, clock, commitHook, plan, log, vfs });
  // Loaded only for PostgreSQL, because most installations need no client for it.
  const { openPostgres } = await import('./postgres-database.ts');
  return await openPostgres({ ...options, url });
}
