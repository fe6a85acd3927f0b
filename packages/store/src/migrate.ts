import { type Compilable, sql } from 'kysely';
import { compiled, creationOf, type StoreKind, statementsOf, tablesOf } from './statements.ts';
import type { Session } from './store.ts';
import type { StoreSchema } from './store-schema.ts';

/** A step from one version of a schema to the next. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** SQL for both databases, or for one kind; `text` stands for the type of texts. */
  readonly statements: (kind: StoreKind) => readonly string[];
}

/** Plan by which a schema is created, or migrated in steps from an older version. */
export interface SchemaPlan {
  /** The statements that create all tables in an empty database, for both kinds. */
  readonly initial: string;
  /** The steps from older versions, in order; the last leads to the version of `initial`. */
  readonly steps: readonly Migration[];
  /** The oldest version that there are steps from, and the advice for an older one. */
  readonly oldest: { readonly version: number; readonly advice: string };
  /** Statements that create the tables of each addition; existing tables stay. */
  readonly added: readonly string[];
}

/**
 * Migrates the schema to the current version in one transaction: if a step fails, the old schema stays complete. The
 * tables of an addition are created where they are missing.
 * @throws Error when the database was created by a newer version, or by one that is too old.
 */
export async function runMigrations(
  kind: StoreKind,
  transaction: (work: (session: Session<StoreSchema>) => Promise<void>) => Promise<void>,
  { initial, steps, oldest, added }: SchemaPlan,
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
    const last = steps.at(-1)?.version ?? 0;
    if (current > last) {
      throw new Error(
        `The database has schema version ${current}, this program knows ${last}. Start the version of Darkroom that wrote it, or a newer one.`,
      );
    }
    if (current > 0 && current < oldest.version)
      throw new Error(
        `The database has schema version ${current}, and this program upgrades from ${oldest.version} on. ${oldest.advice}`,
      );
    const whole: Migration = { version: last, name: 'initial', statements: () => statementsOf(initial) };
    const missing = current === 0 ? [whole] : steps.filter(({ version }) => version > current);
    for (const { version, name, statements } of missing) {
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

async function createMissing(session: Session<StoreSchema>, kind: StoreKind, added: readonly string[]): Promise<void> {
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
