import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Compilable, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

type OldKey = 'live' | 'test' | 'admin' | 'owner' | 'limited' | 'parker' | 'gone';

/** An order of the installation, as its client knows it. */
interface KnownOrder {
  readonly id: string;
  readonly key: OldKey;
  /** Its Idempotency-Key. */
  readonly idem: string;
  readonly body: { readonly model_id: string };
}

/**
 * The database of commit 9fd70113 (schema version 76), killed under load: orders in every step, also with met and
 * unmet parents, held by a batch, parked, delayed and with a reference that is not fetched; a batch with orders
 * that are not placed; an erased end user, limits, a revoked key and a removed upstream key.
 */
export interface OldInstallation {
  readonly keys: Readonly<Record<OldKey, string>>;
  /** `DARKROOM_SECRETS_KEY`. */
  readonly secretsKey: string;
  readonly orders: readonly KnownOrder[];
  /** The batch that was being placed. */
  readonly batch: string;
  /** The address of the reference that was never fetched. */
  readonly reference: string;
  /** The statements that made its tables and indexes, as SQLite keeps them. */
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
}

const FILE = new URL('./version-76.json.gz', import.meta.url);
const VERSION = 76;
const DAY_MS = 86_400_000;
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
  const times = (rows.tasks ?? []).map(({ created_at }) => Number(created_at));
  const killedAt = latestWithinDay(Math.max(...times) - Math.min(...times));
  const shift = killedAt - Math.max(...times);
  const spentIn = { day: dayOf(killedAt), month: monthOf(killedAt) };
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const moved = table === 'spending' && row.day !== 0 ? { ...row, ...spentIn } : row;
      const values = Object.values(moved).map((value) => literal(isTime(value) ? value + shift : value));
      await run(`insert into ${table} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`);
    }
}

/** Now, or just before midnight if some milliseconds before now were on another day: what was spent is of one day. */
function latestWithinDay(length: number): number {
  const now = Date.now();
  return dayOf(now - length) === dayOf(now) ? now : dayOf(now) * DAY_MS - 1;
}

/** The days from 1970 to a time. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** The months from 1970 to a time, in UTC. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
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
  return kind === 'sqlite' ? statement : statement.replace(/ text\b/g, ' text collate "C"');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > FIRST_TIME && value < LAST_TIME;
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
