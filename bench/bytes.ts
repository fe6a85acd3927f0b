import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { compilable } from '../src/database/compilable.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { TaskRow } from '../src/record/task.ts';
import { openOwnPostgres } from '../test/chaos/own-postgres.ts';
import { startService } from './child-service.ts';
import { fillTasks } from './fill-tasks.ts';
import { makeTask } from './make-task.ts';
import { printTable } from './table.ts';

/**
 * Measures how many bytes a finished task takes in each table and index of both databases, with the data that the
 * built-in engine keeps for follow-up orders (`kept`) and without (`plain`): `node bench/bytes.ts [tasks]`.
 */
const [tasks = '50000'] = process.argv.slice(2);
const ORDER = { model_id: 'sketch', prompt: 'a red fox in the snow', aspect_ratio: '16:9' };

interface Part {
  readonly name: string;
  readonly bytes: number;
}

const directory = await mkdtemp(join(tmpdir(), 'darkroom-bytes-'));
try {
  const pattern = await makePattern();
  print(
    new Map([
      ['sqlite, kept', await fillSqlite(pattern)],
      ['sqlite, plain', await fillSqlite({ ...pattern, keep_json: null })],
      ['postgres, kept', await fillPostgres(pattern)],
      ['postgres, plain', await fillPostgres({ ...pattern, keep_json: null })],
    ]),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function fillSqlite(pattern: TaskRow): Promise<ReadonlyMap<string, number>> {
  const path = join(directory, `${randomUUID()}.db`);
  return await measure(await openDatabase({ url: null, path, listen: false }), pattern, partsOfSqlite);
}

async function fillPostgres(pattern: TaskRow): Promise<ReadonlyMap<string, number>> {
  const postgres = await openOwnPostgres();
  try {
    const database = await openDatabase({ url: postgres.url, path: '', listen: false });
    return await measure(database, pattern, partsOfPostgres);
  } finally {
    await postgres.close();
  }
}

/** Orders one task and returns its row. */
async function makePattern(): Promise<TaskRow> {
  const path = join(directory, 'data', 'darkroom.db');
  const service = await startService(join(directory, 'data'));
  const database = await openDatabase({ url: null, path, listen: false });
  try {
    const key = await createKey(database);
    const { task_id } = await makeTask(service.url, key.key, '/v1/images', ORDER);
    await service.stop();
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', task_id));
    if (row === undefined) throw new Error('the pattern is gone');
    return row;
  } finally {
    await service.stop();
    await database.close();
  }
}

async function createKey(database: Database) {
  const by = { actor: 'bench', now: systemClock.now(), createId: createIdFactory(() => systemClock.now()) };
  await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
  return await issueKey(database, by, { mode: 'test', accountId: 'bench' });
}

/** @returns the bytes of each table and index that grew */
async function measure(
  database: Database,
  pattern: TaskRow,
  partsOf: (database: Database) => Promise<readonly Part[]>,
): Promise<Map<string, number>> {
  try {
    const before = new Map((await partsOf(database)).map(({ name, bytes }) => [name, bytes]));
    await fillTasks({ database, pattern, count: Number(tasks), keyIds: [pattern.api_key_id] });
    const grown = (await partsOf(database)).map(({ name, bytes }) => [name, bytes - (before.get(name) ?? 0)] as const);
    return new Map(grown.map(([name, bytes]) => [name, Math.round(bytes / Number(tasks))] as const));
  } finally {
    await database.close();
  }
}

async function partsOfSqlite({ read }: Database): Promise<readonly Part[]> {
  const query = sql<Part>`select dbstat.name, sum(pgsize) as bytes from dbstat
    join sqlite_schema on sqlite_schema.name = dbstat.name group by dbstat.name`;
  const parts = await read.all(compilable(read, query));
  return parts.map(({ name, bytes }) => ({ name: name.replace(/^sqlite_autoindex_(.*)_1$/, '$1_pk'), bytes }));
}

async function partsOfPostgres({ read }: Database): Promise<readonly Part[]> {
  const query = sql<Part>`select relname as name, pg_table_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;
  const parts = await read.all(compilable(read, query));
  return parts.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

function print(columns: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
  const parts = [...columns.values()];
  const names = [...new Set(parts.flatMap((of) => [...of.keys()]))].sort();
  const rows = names
    .map((name) => ({ name, bytes: parts.map((of) => of.get(name) ?? 0) }))
    .filter(({ bytes }) => bytes.some((one) => one > 0));
  const sums = parts.map((of) => [...of.values()].reduce((sum, bytes) => sum + bytes, 0));
  printTable(
    `bytes of a finished task, ${tasks} tasks`,
    ['table or index', ...columns.keys()],
    [...rows, { name: 'all', bytes: sums }].map(({ name, bytes }) => [name, ...bytes.map(String)]),
  );
}
