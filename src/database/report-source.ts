import { SqliteConnection } from './node-sqlite.ts';

/** The database that the report thread reads. */
export interface ReportDatabase {
  /** The file of the embedded database. */
  readonly path: string;
  /** A PostgreSQL server; null = the embedded database. */
  readonly url: string | null;
  /** A standby of the server that answers instead, while it is close behind. */
  readonly replicaUrl: string | null;
}

/** Runs one query on a connection of the report thread. */
export type ReadRows = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;

/** Opens the database of the report thread, for reading only. */
export async function openReportSource({ path, url, replicaUrl }: ReportDatabase): Promise<ReadRows> {
  if (url !== null) {
    // Imported only here: the embedded database needs no client.
    const { openPostgresReports } = await import('./postgres-reports.ts');
    return await openPostgresReports(url, replicaUrl);
  }
  const connection = new SqliteConnection(path, { readOnly: true, now: () => Date.now() });
  return async (sql, parameters) => connection.all(sql, parameters);
}
