import { type Compilable, sql } from 'kysely';
import type { Session } from './database.ts';
import { BRIDGE } from './migrations/bridge.ts';
import {
  compiled,
  creationOf,
  type DatabaseKind,
  type Migration,
  statementsOf,
  tablesOf,
} from './migrations/statements.ts';

/** The steps from older schemas. An empty database gets all tables at once. */
const MIGRATIONS: readonly Migration[] = BRIDGE;
/** The oldest schema that there are steps from. */
const OLDEST = 32;

/** The schema version that this code requires. */
export const SCHEMA_VERSION = lastOf(MIGRATIONS);

/**
 * Migrates the schema to the current version in one transaction: if a step fails, the old schema stays complete. The
 * tables of an addition are created where they are missing.
 * @param added what creates the tables of each addition
 * @throws Error when the database was created by a newer version, or by one that is too old.
 */
export async function runMigrations(
  kind: DatabaseKind,
  transaction: (work: (session: Session) => Promise<void>) => Promise<void>,
  added: readonly string[],
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await transaction(async (session) => {
    await session.run(
      session.builder.schema
        .createTable('schema_migrations')
        .ifNotExists()
        .addColumn('version', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('applied_at', 'bigint', (column) => column.notNull()) as Compilable<unknown>,
    );
    const row = await session.first(
      session.builder
        .selectFrom('schema_migrations')
        .select((expression) => expression.fn.max('version').as('version')),
    );
    const current = row?.version ?? 0;
    const last = lastOf(migrations);
    if (current > last) {
      throw new Error(
        `The database has schema version ${current}, this program knows ${last}. Start the version of Darkroom that wrote it, or a newer one.`,
      );
    }
    if (current > 0 && current < OLDEST)
      throw new Error(
        `The database has schema version ${current}, and this program upgrades from ${OLDEST} on. Start the checkout 39b6782 on it once, then this one.`,
      );
    const whole: Migration = { version: last, name: 'initial', statements: () => creationOf() };
    for (const { version, name, statements } of current === 0 ? [whole] : migrations) {
      if (version <= current) continue;
      await session.run(
        session.builder
          .insertInto('schema_migrations')
          .values({ version, name, applied_at: sql<number>`${session.now}` }),
      );
      for (const statement of statements(kind)) await session.run(compiled(session.builder, kind, statement));
    }
    await createMissing(session, kind, added);
  });
}

async function createMissing(session: Session, kind: DatabaseKind, added: readonly string[]): Promise<void> {
  const names =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const rows = await session.all({ compile: () => names.compile(session.builder) } as Compilable<{ name: string }>);
  const existing = new Set(rows.map(({ name }) => name));
  for (const text of added) {
    const missing = [...tablesOf(text).keys()].filter((name) => !existing.has(name));
    for (const statement of missing.flatMap((name) => creationOf(name, statementsOf(text))))
      await session.run(compiled(session.builder, kind, statement));
  }
}

function lastOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}
