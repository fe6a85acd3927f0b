import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Compilable, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** The names of all tables of a database. */
export async function tableNames({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<string[]> {
  const names =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const rows = await read.all({ compile: () => names.compile(read.builder) } as Compilable<{ name: string }>);
  return rows.map(({ name }) => name).sort();
}

/** Finds a text in every column of every table. @returns `table.column` where it is found */
export async function findInTables(database: Pick<Database, 'kind' | 'read'>, text: string): Promise<string[]> {
  const { read } = database;
  const found = new Set<string>();
  for (const table of await tableNames(database)) {
    const query = sql<Record<string, unknown>>`select * from ${sql.table(table)}`;
    const rows = await read.all({ compile: () => query.compile(read.builder) } as Compilable<Record<string, unknown>>);
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' && value.includes(text)) found.add(`${table}.${column}`);
  }
  return [...found].sort();
}

/** Finds a text or bytes in the files below a directory, and a text in their names. */
export async function findInFiles(directory: string, text: string | Buffer): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (typeof text === 'string' && entry.name.includes(text)) found.push(path);
    // Files go while this reads them.
    else if (entry.isFile() && (await readFile(path).catch(() => Buffer.of())).includes(text)) found.push(path);
  }
  return found;
}
