import { openStore, type StoreOptions } from '@darkroom-service/store';
import type { Database } from '../../src/database/database.ts';
import { planOf } from '../../src/database/migrate.ts';
import type { Schema } from '../../src/database/schema.ts';

/** Opens a PostgreSQL database with the service's schema, and migrates it. */
export async function openPostgres(
  options: Partial<StoreOptions<Schema>> & { readonly url: string },
): Promise<Database> {
  return await openStore<Schema>({
    path: '',
    plan: planOf([]),
    ...options,
  });
}
