import type { Client } from 'pg';
import { type Move, withinMove } from './ends.ts';
import { keyJson, type OwnedTable } from './owned-tables.ts';

/**
 * The rows of the account in the database of the target, in tables that no process knows until the account opens. They
 * are copied once, and again where the triggers of the source note a change.
 */

const ROWS_AT_ONCE = 200;
const CHANGES_AT_ONCE = 500;

export const stagedName = ({ name }: Pick<OwnedTable, 'name'>) => `moving_${name}`;
const COPIED = 'arrived_tables';
/** The files of a task or an upload that are in the storage of the target. */
export const FILES = 'arrived_files';

/** Makes empty tables, in the transaction of the caller. */
export async function makeStage(target: Client, tables: readonly OwnedTable[]): Promise<void> {
  await dropStage(target, tables);
  for (const owned of tables)
    await target.query(
      `create table ${stagedName(owned)} (like ${owned.table}, primary key (${owned.key.join(', ')}))`,
    );
  await target.query(`create table ${COPIED} (name text primary key)`);
  await target.query(`create table ${FILES} (id text primary key)`);
}

export async function dropStage(target: Client, tables: readonly OwnedTable[]): Promise<void> {
  const names = [...tables.map(stagedName), COPIED, FILES];
  await target.query(`drop table if exists ${names.join(', ')}`);
}

/** Copies the tables that no run has copied yet. A table is begun anew if the last run died within it. */
export async function copyTables(
  move: Move,
  tables: readonly OwnedTable[],
  onTable: (name: string, rows: number) => Promise<void>,
): Promise<void> {
  const { rows } = await move.target.query<{ name: string }>(`select name from ${COPIED}`);
  const copied = new Set(rows.map(({ name }) => name));
  for (const owned of tables) {
    if (copied.has(owned.name)) continue;
    await onTable(owned.name, await copyTable(move, owned));
  }
}

async function copyTable(move: Move, owned: OwnedTable): Promise<number> {
  const { source, account } = move;
  let copied = 0;
  await source.query('begin isolation level repeatable read read only');
  try {
    await source.query(
      `declare copied no scroll cursor for select row_to_json(r)::text as row from ${owned.table} r where ${owned.where}`,
      [account],
    );
    for (;;) {
      const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from copied`);
      if (rows.length === 0) break;
      await withinMove(move, 'target', 'share', (target) => put(target, owned, rows));
      copied += rows.length;
    }
  } finally {
    await source.query('rollback');
  }
  await withinMove(move, 'target', 'share', (target) =>
    target.query(`insert into ${COPIED} values ($1) on conflict do nothing`, [owned.name]),
  );
  return copied;
}

/** Writes rows as JSON texts, which are not read here: numbers stay exact. */
async function put(target: Client, owned: OwnedTable, rows: readonly { readonly row: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const staged = stagedName(owned);
  const key = owned.key.join(', ');
  const keyOf = owned.key.map((column) => `s.${column} = n.${column}`).join(' and ');
  const text = `[${rows.map(({ row }) => row).join(',')}]`;
  await target.query(
    `delete from ${staged} s using json_populate_recordset(null::${staged}, $1::json) n where ${keyOf}`,
    [text],
  );
  await target.query(
    `insert into ${staged} select * from json_populate_recordset(null::${staged}, $1::json) on conflict (${key}) do nothing`,
    [text],
  );
}

interface Change {
  readonly name: string;
  readonly row_key: string;
  readonly changes: number;
}

/** Copies rows that have changed since. @returns how many were noted; fewer than `CHANGES_AT_ONCE` are all */
export async function copyChanges(move: Move, tables: readonly OwnedTable[]): Promise<number> {
  const { source, account } = move;
  const { rows: changes } = await source.query<Change>(
    'select name, row_key, changes from account_changes where account_id = $1 order by name, row_key limit $2',
    [account, CHANGES_AT_ONCE],
  );
  if (changes.length === 0) return 0;
  for (const owned of tables) {
    const keys = changes.filter(({ name }) => name === owned.name).map(({ row_key: key }) => key);
    if (keys.length === 0) continue;
    await copyKeys(move, owned, keys);
    for (const child of tables)
      if (child.parent?.table === owned.name) await copyChildren(move, child, child.parent.column, keys);
  }
  await withinMove(move, 'source', 'share', (client) =>
    client.query(
      `delete from account_changes c using json_populate_recordset(null::account_changes, $2::json) seen
        where c.account_id = $1 and c.name = seen.name and c.row_key = seen.row_key and c.changes = seen.changes`,
      [account, JSON.stringify(changes)],
    ),
  );
  return changes.length;
}

export function areAllChanges(copied: number): boolean {
  return copied < CHANGES_AT_ONCE;
}

async function copyKeys(move: Move, owned: OwnedTable, keys: readonly string[]): Promise<void> {
  const list = `[${keys.join(',')}]`;
  const { table, key } = owned;
  const { rows } = await move.source.query<{ row: string }>(
    `select row_to_json(r)::text as row from json_populate_recordset(null::${table}, $1::json) k
      join ${table} r on ${key.map((column) => `r.${column} = k.${column}`).join(' and ')}`,
    [list],
  );
  const staged = stagedName(owned);
  await withinMove(move, 'target', 'share', async (target) => {
    await target.query(
      `delete from ${staged} s using json_populate_recordset(null::${staged}, $1::json) k
        where ${key.map((column) => `s.${column} = k.${column}`).join(' and ')}`,
      [list],
    );
    await put(target, owned, rows);
    if (owned.name === 'tasks' || owned.name === 'files') {
      const ids = keys.map((one) => (JSON.parse(one) as { id: string }).id);
      await target.query(`delete from ${FILES} where id = any($1)`, [ids]);
    }
  });
}

/** The rows that name one of these. */
async function copyChildren(move: Move, child: OwnedTable, column: string, keys: readonly string[]): Promise<void> {
  const ids = keys.map((one) => (JSON.parse(one) as { id: string }).id);
  const { rows } = await move.source.query<{ row: string }>(
    `select row_to_json(r)::text as row from ${child.table} r where r.${column} = any($1)`,
    [ids],
  );
  await withinMove(move, 'target', 'share', async (target) => {
    await target.query(`delete from ${stagedName(child)} where ${column} = any($1)`, [ids]);
    await put(target, child, rows);
  });
}

/** A count and a sum over hashes of all values, which are equal if the rows are. */
interface Digest {
  readonly rows: number;
  readonly sum: string;
}

/** Compares all rows. @returns the first table that differs; null = none does */
export async function findDifference(move: Move, tables: readonly OwnedTable[]): Promise<string | null> {
  for (const owned of tables) {
    if (owned.isShared) continue;
    const [there, here] = await Promise.all([
      digest(move.source, `${owned.table} r where ${owned.where}`, owned.table, [move.account]),
      digest(move.target, `${stagedName(owned)} r`, owned.table, []),
    ]);
    if (there.rows !== here.rows || there.sum !== here.sum) return owned.name;
  }
  return null;
}

async function digest(client: Client, from: string, table: string, values: string[]): Promise<Digest> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attname`,
    [table],
  );
  const row = columns.map(({ name }) => `r.${name}`).join(', ');
  const { rows } = await client.query<Digest>(
    `select count(*) as rows, coalesce(sum(('x' || left(md5(row(${row})::text), 15))::bit(60)::bigint), 0)::text as sum
      from ${from}`,
    values,
  );
  return rows[0]!;
}

/** The next run copies this table from its beginning. */
export async function copyAnew(move: Move, name: string): Promise<void> {
  await withinMove(move, 'target', 'update', async (target) => {
    await target.query(`delete from ${COPIED} where name = $1`, [name]);
    await target.query(`truncate ${stagedName({ name })}`);
  });
}

/**
 * Finds a table of the target that already has a row with the key of a staged one.
 * @returns its name; null = no conflict
 */
export async function findConflict(move: Move, tables: readonly OwnedTable[]): Promise<string | null> {
  for (const owned of tables) {
    if (owned.isShared) continue;
    const same = owned.key.map((column) => `l.${column} = s.${column}`).join(' and ');
    const { rows } = await move.target.query<{ key: string }>(
      `select ${keyJson(owned, 'l')} as key from ${stagedName(owned)} s join ${owned.table} l on ${same} limit 1`,
    );
    if (rows.length > 0) return owned.name;
  }
  return null;
}
