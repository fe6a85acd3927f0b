import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Compilable, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** An order of the installation, as its client knows it. */
interface KnownOrder {
  readonly id: string;
  readonly key: 'live' | 'test';
  /** Its Idempotency-Key. */
  readonly idem: string;
  readonly body: { readonly model_id: string };
}

/**
 * The database of commit 39b6782 (schema version 32), killed under load: orders in every step, a batch, webhooks that
 * nobody took, a share, tags, keys.
 */
interface OldInstallation {
  readonly keys: Readonly<Record<'live' | 'test' | 'admin', string>>;
  readonly orders: readonly KnownOrder[];
  readonly batch: string;
  /** The statements that made its tables and indexes, as SQLite keeps them. */
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
}

const FILE = new URL('./version-32.json.gz', import.meta.url);
const VERSION = 32;
/** What is between these is a time. */
const [FIRST_TIME, LAST_TIME] = [1_700_000_000_000, 1_900_000_000_000];

export function readOldInstallation(): OldInstallation {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString());
}

/** Replaces whatever is in a database by the old schema. @param rows as if it had been killed just now */
export async function placeOldSchema(database: Database, { schema, rows }: Pick<OldInstallation, 'schema' | 'rows'>) {
  const run = (text: string) => execute(database, text);
  for (const table of await tablesOf(database)) await run(`drop table ${table}`);
  for (const statement of schema) await run(inDialect(statement, database.kind));
  for (let version = 1; version <= VERSION; version++)
    await run(`insert into schema_migrations (version, name, applied_at) values (${version}, 'old', 0)`);
  // Orders came in until it was killed. Later times, such as deadlines, lie ahead of that.
  const killedAt = Math.max(...(rows.tasks ?? []).map(({ created_at }) => Number(created_at)));
  const shift = Date.now() - killedAt;
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const values = Object.values(row).map((value) => literal(isTime(value) ? value + shift : value));
      const identity = database.kind === 'postgres' && table === 'ledger' ? 'overriding system value' : '';
      await run(`insert into ${table} (${Object.keys(row).join(', ')}) ${identity} values (${values.join(', ')})`);
    }
}

export async function execute(database: Database, text: string): Promise<void> {
  await database.write('test', (trx) =>
    trx.run({ compile: () => sql.raw(text).compile(trx.builder) } as Compilable<unknown>),
  );
}

async function tablesOf({ kind, read }: Database): Promise<string[]> {
  const text =
    kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
      : "select tablename as name from pg_tables where schemaname = 'public'";
  const query = { compile: () => sql.raw(text).compile(read.builder) } as Compilable<{ name: string }>;
  return (await read.all(query)).map(({ name }) => name);
}

function inDialect(statement: string, kind: Database['kind']): string {
  if (kind === 'sqlite') return statement;
  return statement
    .replace('id integer primary key autoincrement', 'id bigint generated always as identity primary key')
    .replace(/ text\b/g, ' text collate "C"');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > FIRST_TIME && value < LAST_TIME;
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
