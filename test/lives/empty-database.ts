import { DatabaseSync } from 'node:sqlite';
import type { SqliteConnection } from '@darkroom-service/store';

/**
 * Reads what a database holds.
 * @returns gives another database with the same tables the same rows; false: somebody still reads or writes it
 */
export function createEmptying(template: string): (connection: SqliteConnection) => boolean {
  const database = new DatabaseSync(template, { readOnly: true });
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => `"${name}"`);
  const filled = tables.filter((table) => database.prepare(`select 1 from ${table}`).get() !== undefined);
  database.close();
  const refill = [
    ...tables.map((table) => `delete from main.${table}`),
    ...filled.map((table) => `insert into main.${table} select * from template.${table}`),
  ].join('; ');
  return (connection) => {
    connection.exec(`attach '${template}' as template; pragma foreign_keys = off`);
    connection.exec(`begin immediate; ${refill}; commit`);
    connection.exec('pragma foreign_keys = on; detach template');
    const { busy } = connection.first('pragma wal_checkpoint(truncate)', []) as { busy: number };
    return busy === 0;
  };
}
