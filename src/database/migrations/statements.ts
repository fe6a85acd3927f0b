import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * One step of the schema. Steps only add things within a minor version, so that two adjacent versions can run side by
 * side.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (builder: Kysely<Schema>, kind: DatabaseKind) => readonly Compilable<unknown>[];
}

/** Column types of a migration; `?` = may be null. */
export type ColumnKind = 'text' | 'text?' | 'int' | 'int?' | 'real' | 'real?';

/** @param primaryKey null: an `id` column that the database generates. */
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

/** Adds a nullable column: the only kind that the previous version can handle. */
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

/** Ids and names compare by code point on both databases. */
function definition(column: string, type: ColumnKind, kind: DatabaseKind): RawBuilder<unknown> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const of = type.startsWith('text') ? text : type.startsWith('int') ? 'bigint' : 'double precision';
  return sql.raw(`${column} ${of}${type.endsWith('?') ? '' : ' not null'}`);
}

function compilable(builder: Kysely<Schema>, raw: RawBuilder<unknown>): Compilable<unknown> {
  return { compile: () => raw.compile(builder) } as Compilable<unknown>;
}
