import { assertNotHalfCopied } from './copy-database.ts';
import type { Inspection } from './inspect-sqlite.ts';
import { endConnection } from './postgres-connection.ts';
import { connectToServer } from './postgres-database.ts';
import { nowExpression, PostgresSession } from './postgres-session.ts';

/**
 * What can be said of a PostgreSQL database without changing it, its schema included.
 * @throws Error when the server cannot be used, or the database is half a copy.
 */
export async function inspectPostgres(url: string): Promise<Pick<Inspection, 'schemaVersion' | 'circuits'>> {
  const client = await connectToServer(url, 'read', 0);
  try {
    await client.query('begin read only');
    const has = async (table: string) =>
      (await client.query('select to_regclass($1) is not null as found', [table])).rows[0]?.found === true;
    if (!(await has('schema_migrations'))) return { schemaVersion: 0, circuits: [] };
    const { rows } = await client.query('select max(version) as version from schema_migrations');
    await assertNotHalfCopied(new PostgresSession((statement) => client.query(statement), nowExpression(null)));
    // A version before this table made it.
    const circuits = (await has('circuits')) ? (await client.query('select * from circuits')).rows : [];
    return { schemaVersion: Number(rows[0]?.version ?? 0), circuits };
  } finally {
    await endConnection(client);
  }
}
