import { type Compilable, type Kysely, sql } from 'kysely';

export type StoreKind = 'sqlite' | 'postgres';

/** Splits a text of statements without semicolons inside them. */
export function statementsOf(text: string): readonly string[] {
  const statements = text.split(';').map((statement) => statement.trim());
  return statements.filter((statement) => statement !== '');
}

/** Returns the tables that a text creates, each with the columns of its primary key. */
export function tablesOf(text: string): ReadonlyMap<string, readonly string[]> {
  const found = text.matchAll(/create table (\w+) \((?:(?!create ).)*?primary key \(([^)]+)\)/gs);
  return new Map([...found].map(([, name = '', key = '']) => [name, key.split(/,\s*/)]));
}

/** Returns the statements that create a table and its indexes. */
export function creationOf(table: string, creates: readonly string[]): readonly string[] {
  return creates.filter((statement) =>
    new RegExp(`^create (table ${table} |.*index \\w+ on ${table} )`).test(statement),
  );
}

/** Compiles a statement written for SQLite. Ids and names compare by code point on both databases. */
export function compiled<S>(builder: Kysely<S>, kind: StoreKind, statement: string): Compilable<unknown> {
  const text = kind === 'postgres' ? statement.replace(/\btext\b/g, 'text collate "C"') : statement;
  return { compile: () => sql.raw(text).compile(builder) } as Compilable<unknown>;
}
