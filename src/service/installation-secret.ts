import { world } from '@darkroom-service/contract';
import type { Database } from '../database/database.ts';

/** Returns a secret of the installation, and creates it on first use. */
export async function secretOf(database: Database, name: string): Promise<string> {
  return await database.write('secret', async (trx) => {
    const value = Buffer.from(world.randomBytes(32)).toString('base64url');
    await trx.run(
      trx.builder
        .insertInto('secrets')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    );
    const row = await trx.first(trx.builder.selectFrom('secrets').select('value').where('name', '=', name));
    return row?.value ?? value;
  });
}
