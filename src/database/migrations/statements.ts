import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from '../migrate.ts';
import type { Schema } from '../schema.ts';

/** What a migration writes down of a column; `?` = may be null. */
export type ColumnKind = 'text' | 'text?' | 'int' | 'int?' | 'real' | 'real?';

/** @param primaryKey null: a column `id` that the database counts up. */
export function createTable(
  builder: Kysely<Schema>,
  kind: DatabaseKind,
  name: string,
  columns: Readonly<Record<string, ColumnKind>>,
  primaryKey: readonly string[] | null,
): Compilable<unknown> {
  const identity =
    kind === 'sqlite'
      ? sql`id integer primary key autoincrement`
      : sql`id bigint generated always as identity primary key`;
  const parts = [
    ...(primaryKey === null ? [identity] : []),
    ...Object.entries(columns).map(([column, type]) => definition(column, type, kind)),
    ...(primaryKey === null ? [] : [sql.raw(`constraint ${name}_pk primary key (${primaryKey.join(', ')})`)]),
  ];
  return compilable(builder, sql`create table ${sql.ref(name)} (${sql.join(parts)})`);
}

/** Adds a column that may be null: the only kind that the version before can live with. */
export function addColumn(
  builder: Kysely<Schema>,
  kind: DatabaseKind,
  table: string,
  column: string,
  type: 'text?' | 'int?' | 'real?',
): Compilable<unknown> {
  return compilable(builder, sql`alter table ${sql.ref(table)} add column ${definition(column, type, kind)}`);
}

export function createIndex(
  builder: Kysely<Schema>,
  table: string,
  name: string,
  columns: readonly string[],
  options: { readonly where?: string; readonly unique?: boolean } = {},
): Compilable<unknown> {
  const where = options.where === undefined ? '' : ` where ${options.where}`;
  const unique = options.unique === true ? 'unique ' : '';
  return compilable(
    builder,
    sql.raw(`create ${unique}index ${table}_${name} on ${table} (${columns.join(', ')})${where}`),
  );
}

/** Ids and names compare by code point on either database. */
function definition(column: string, type: ColumnKind, kind: DatabaseKind): RawBuilder<unknown> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const of = type.startsWith('text') ? text : type.startsWith('int') ? 'bigint' : 'double precision';
  return sql.raw(`${column} ${of}${type.endsWith('?') ? '' : ' not null'}`);
}

function compilable(builder: Kysely<Schema>, raw: RawBuilder<unknown>): Compilable<unknown> {
  return { compile: () => raw.compile(builder) } as Compilable<unknown>;
}
