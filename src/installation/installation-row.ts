import { world } from '@darkroom-service/contract';
import type { Compilable, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { identifyServer } from './identify-server.ts';
import { type InstallationRow, readInstallation } from './suspension.ts';

/** Returns the row of the installation; the first start makes it. @param id the installation's id if it is made */
export async function ensureRow(database: Database, id: string): Promise<InstallationRow> {
  const known = await readInstallation(database.read);
  if (known !== undefined) return known;
  const { systemId: system_id, databaseOid: database_oid } = await identifyServer(database);
  const values = { row: 1, id, owner: world.randomUUID(), beat: 0, system_id, database_oid };
  return await database.write('installation', async (trx) => {
    await trx.run(
      trx.builder
        .insertInto('installation')
        .values({ ...values, held: null, prefix: null, sweep_stopped: null })
        .onConflict((conflict) => conflict.column('row').doNothing()),
    );
    return (await readInstallation(trx))!;
  });
}

/** Changes the row of the installation. @param name names the transaction */
export async function updateRow(
  database: Database,
  name: string,
  change: (query: UpdateQueryBuilder<Schema, 'installation', 'installation', UpdateResult>) => Compilable<unknown>,
): Promise<void> {
  await database.write(name, (trx) => trx.run(change(trx.builder.updateTable('installation'))));
}
