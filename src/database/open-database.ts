import { openStore, type StoreOptions } from '@darkroom-service/store';
import { assertNotHalfCopied } from './copy-database.ts';
import type { Database } from './database.ts';
import { planOf } from './migrate.ts';
import type { Schema } from './schema.ts';

/** The address of the database, and the tables of additions. */
interface DatabaseOptions extends Omit<StoreOptions<Schema>, 'plan'> {
  /** Statements that create the tables of each addition where they are missing. */
  readonly added?: readonly string[] | undefined;
}

/**
 * Opens the configured database and migrates its schema.
 * @throws Error when it cannot be reached, its schema is newer than this code, or it is an unfinished copy.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await openUnchecked(options);
  try {
    await assertNotHalfCopied(database.read);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a database as `openDatabase` does, also an unfinished copy. */
export async function openUnchecked({ added = [], ...options }: DatabaseOptions): Promise<Database> {
  return await openStore<Schema>({
    ...options,
    plan: planOf(added),
  });
}
