import { loadPostgres, type ServerTraits } from '@darkroom-service/store';
import { assertNotHalfCopied } from './copy-database.ts';
import type { Inspection } from './inspect-sqlite.ts';

interface PostgresInspection extends Pick<Inspection, 'schemaVersion' | 'valves'> {
  readonly clockAt: number;
  /** Whether the server is a standby, or its transactions are read-only. */
  readonly isReadOnly: boolean;
  readonly traits: ServerTraits;
}

/**
 * Inspects a PostgreSQL database without changing anything, its schema included.
 * @throws Error when the server cannot be used, or the database is an unfinished copy.
 */
export async function inspectPostgres(url: string): Promise<PostgresInspection> {
  const { connectToServer, endConnection, examineServer, sessionOn } = await loadPostgres();
  const client = await connectToServer(url, 'read', 0);
  try {
    const traits = await examineServer(url, 0);
    const writing = await client.query(
      "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only",
    );
    const isReadOnly = writing.rows[0]?.is_read_only === true;
    await client.query('begin read only');
    const clock = await client.query('select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now');
    const clockAt = Number(clock.rows[0]?.now);
    const has = async (table: string) =>
      (await client.query('select to_regclass($1) is not null as found', [table])).rows[0]?.found === true;
    if (!(await has('schema_migrations'))) return { schemaVersion: 0, valves: [], clockAt, isReadOnly, traits };
    const { rows } = await client.query('select max(version) as version from schema_migrations');
    await assertNotHalfCopied(sessionOn(client));
    // Older schema versions have no such table.
    const valves = (await has('valves')) ? (await client.query('select * from valves')).rows : [];
    return { schemaVersion: Number(rows[0]?.version ?? 0), valves, clockAt, isReadOnly, traits };
  } finally {
    await endConnection(client);
  }
}
