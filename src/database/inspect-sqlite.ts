import { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import type { Schema } from './schema.ts';

/** Facts about an SQLite file, read without changing it. */
export interface Inspection {
  /** 0 if no schema was ever created. */
  readonly schemaVersion: number;
  /** Damage that SQLite reports; empty if there is none. */
  readonly damage: readonly string[];
  /** The latest recorded time (ms); null if there is none. */
  readonly lastActAt: number | null;
  /** The rows of the table `valves`. */
  readonly valves: readonly Selectable<Schema['valves']>[];
}

/**
 * Opens a copy of the database for reading and checks it.
 * @throws Error of node:sqlite when the file is not a database or cannot be read.
 */
export function inspectSqlite(path: string): Inspection {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const has = (table: string) => column(`select count(*) from sqlite_master where name = '${table}'`) !== 0;
    const column = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0] as string | number | null;
    const damage = database
      .prepare('pragma quick_check(20)')
      .all()
      .map((row) => String(Object.values(row)[0]))
      .filter((line) => line !== 'ok');
    if (!has('schema_migrations')) return { schemaVersion: 0, damage, lastActAt: null, valves: [] };
    const lastActAt = column(
      'select max(at) from (select max(created_at) as at from audit_log union all select max(created_at) from tasks)',
    );
    // Older schema versions have no such table.
    const valves = has('valves') ? database.prepare('select * from valves').all() : [];
    return {
      schemaVersion: Number(column('select max(version) from schema_migrations')),
      damage,
      lastActAt: lastActAt === null ? null : Number(lastActAt),
      valves: valves as unknown as Selectable<Schema['valves']>[],
    };
  } finally {
    database.close();
  }
}

/** Turns a copy into one plain file without a write-ahead log, so that it can be moved and read anywhere. */
export function makeSingleFile(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete');
  } finally {
    database.close();
  }
}
