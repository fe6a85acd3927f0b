import { createHash } from 'node:crypto';
import { sleep } from '@darkroom-service/contract';
import { COMMITS, tablesOf } from '@darkroom-service/store';
import { type Compilable, type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Session } from './database.ts';
import { INITIAL } from './migrations/initial.ts';
import type { Schema } from './schema.ts';

/** The contents of one table, equal on both sides. */
interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Hash of every value of every row, in primary key order, in hexadecimal. */
  readonly sha256: string;
}

export interface CopyReport {
  readonly tables: readonly CopiedTable[];
  /** An earlier run had already copied everything, and both sides are still equal: nothing was written. */
  readonly wasAlreadyCopied: boolean;
}

export interface CopyProgress {
  readonly table: string;
  readonly rows: number;
  readonly totalRows: number;
}

/** The columns of the primary key of each table. */
type Keys = ReadonlyMap<string, readonly string[]>;

/** Primary keys of the tables that are copied row by row; `installation` is copied separately. */
const KEYS: Keys = new Map([...tablesOf(INITIAL)].filter(([table]) => table !== 'installation'));
const BATCH = 200;
const LISTENS_WITHIN_MS = 5_000;

/** Name of the secret in the target that records which source is copied into it and whether the copy is finished. */
const MARK = 'database_copy';

interface Mark {
  readonly source: string;
  readonly state: 'copying' | 'done';
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Copies all data from one database into an empty one and verifies it row by row. An interrupted copy is resumed; a
 * finished one is only compared.
 * @throws Error when the target holds other data, the source was written to meanwhile, or the two differ at the end.
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  onProgress: (progress: CopyProgress) => void,
  added: readonly string[] = [],
): Promise<CopyReport> {
  const keys: Keys = new Map([...KEYS, ...added.flatMap((text) => [...tablesOf(text)])]);
  const source = await identify(from.read);
  const mark = await readMark(to.read);
  if (mark === null && !(await isEmpty(to.read, keys)))
    throw new Error('The target holds other data. Name a database that is empty: nothing was written.');
  if (mark !== null && mark.source !== source)
    throw new Error('The target holds the data of another installation: nothing was written.');
  if (from.kind === 'postgres') await hearsCommits(from);
  const changes = from.changeCounter();
  let totalRows = 0;
  for (const table of keys.keys()) totalRows += await countRows(from.read, table);
  if (mark?.state !== 'done') {
    await writeMark(to, { source, state: 'copying' });
    await copyTables(from, to, { keys, totalRows, onProgress });
    await moveInstallation(from, to);
  }
  const tables: CopiedTable[] = [];
  for (const [table, key] of keys) {
    onProgress({ table, rows: totalRows, totalRows });
    const [there, here] = [await digest(from.read, table, key), await digest(to.read, table, key)];
    if (there.sha256 !== here.sha256) throw differs(table, there, here, mark?.state === 'done');
    tables.push(here);
  }
  if (from.changeCounter() !== changes)
    throw new Error(
      'The source was written to meanwhile, or a pooler hides whether it was. Stop every process that uses it, name the server itself, and run this again.',
    );
  await writeMark(to, { source, state: 'done' });
  return { tables, wasAlreadyCopied: mark?.state === 'done' };
}

/** Resolves once commits of others are heard, or after a timeout; the change counter then shows that they are not. */
async function hearsCommits(from: Database): Promise<void> {
  await Promise.race([
    new Promise<void>((resolve) => void from.listenTo(COMMITS, resolve)),
    sleep(LISTENS_WITHIN_MS, { ref: false }),
  ]);
}

/**
 * Refuses a database that contains an unfinished copy: a service started on it would accept orders that the rest of the
 * copy conflicts with.
 * @throws Error
 */
export async function assertNotHalfCopied(read: Session): Promise<void> {
  if ((await readMark(read))?.state === 'copying')
    throw new Error('This database holds half of what darkroom migrate was moving into it. Run that again first.');
}

async function copyTables(
  from: Database,
  to: Database,
  copy: { readonly keys: Keys; readonly totalRows: number; readonly onProgress: (progress: CopyProgress) => void },
): Promise<void> {
  const { keys, totalRows, onProgress } = copy;
  let rows = 0;
  for (const [table, key] of keys) {
    for await (const batch of batches(from.read, table, key)) {
      await to.write('copy', (trx) => trx.run(statement(trx.builder, upsert(table, key, batch))));
      rows += batch.length;
      onProgress({ table, rows, totalRows });
    }
  }
}

/**
 * Copies the row of the installation. The target replaces the source, so it is not held as a copy: its first start
 * records the server that it is on. If the source is started again, its beats are behind the mark in the storage.
 */
async function moveInstallation(from: Database, to: Database): Promise<void> {
  const row = await from.read.first(from.read.builder.selectFrom('installation').selectAll());
  if (row === undefined) return;
  const { row: number, ...rest } = row;
  const moved = { ...rest, system_id: null, database_oid: null };
  await to.write('copy', (trx) =>
    trx.run(
      trx.builder
        .insertInto('installation')
        .values({ row: number, ...moved })
        .onConflict((conflict) => conflict.column('row').doUpdateSet(moved)),
    ),
  );
}

/**
 * Yields all rows in primary key order, in batches. Each query starts after the last row of the batch before, so memory
 * use does not depend on the size of the table.
 */
async function* batches(read: Session, table: string, key: readonly string[]): AsyncGenerator<Row[]> {
  const columns = refs(key);
  let after: Expression<boolean> = sql<boolean>`1 = 1`;
  for (;;) {
    const query = sql<Row>`select * from ${sql.table(table)} where ${after} and ${isCopied(table)} order by ${columns} limit ${sql.lit(BATCH)}`;
    const rows = await read.all(statement(read.builder, query));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = sql<boolean>`(${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

function upsert(table: string, key: readonly string[], rows: readonly Row[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`insert into ${sql.table(table)} (${refs(columns)}) values ${sql.join(values)} on conflict (${refs(key)}) do update set ${sql.join(changes)}`;
}

async function digest(read: Session, table: string, key: readonly string[]): Promise<CopiedTable> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of batches(read, table, key)) {
    for (const row of batch) {
      const columns = Object.keys(row).sort();
      hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
    }
    rows += batch.length;
  }
  return { table, rows, sha256: hash.digest('hex') };
}

function differs(table: string, from: CopiedTable, to: CopiedTable, wasDone: boolean): Error {
  const found = `'${table}' has ${from.rows} rows in the source and ${to.rows} in the target, or other values in them.`;
  return new Error(
    wasDone
      ? `This was moved before, and since then one side has been written to: ${found} Nothing was written.`
      : `The copy is not the same: ${found} Stop every process that uses either of them, and run this again; where that does not help, with a new target.`,
  );
}

/**
 * Identifies the source by a value that is unique to it and never changes: a hash of its installation's id. A database
 * that was never started has none.
 */
async function identify(read: Session): Promise<string> {
  const row = await read.first(read.builder.selectFrom('installation').select('id'));
  return createHash('sha256')
    .update(`darkroom copy ${row?.id ?? ''}`)
    .digest('hex');
}

async function isEmpty(read: Session, keys: Keys): Promise<boolean> {
  for (const table of keys.keys()) if ((await countRows(read, table)) > 0) return false;
  return true;
}

async function countRows(read: Session, table: string): Promise<number> {
  const query = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} where ${isCopied(table)}`;
  return (await read.first(statement(read.builder, query)))?.rows ?? 0;
}

/** Returns the condition for rows to copy: the copy's own mark exists only in the target. */
function isCopied(table: string): RawBuilder<boolean> {
  return table === 'secrets' ? sql<boolean>`name <> ${sql.lit(MARK)}` : sql<boolean>`1 = 1`;
}

async function readMark(read: Session): Promise<Mark | null> {
  const row = await read.first(read.builder.selectFrom('secrets').select('value').where('name', '=', MARK));
  return row === undefined ? null : (JSON.parse(row.value) as Mark);
}

async function writeMark(database: Database, mark: Mark): Promise<void> {
  const value = JSON.stringify(mark);
  await database.write('copy', (trx) =>
    trx.run(
      trx.builder
        .insertInto('secrets')
        .values({ name: MARK, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
    ),
  );
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function statement<R>(builder: Kysely<Schema>, query: RawBuilder<R>): Compilable<R> {
  return { compile: () => query.compile(builder) } as Compilable<R>;
}
