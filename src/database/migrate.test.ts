import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Compilable, sql } from 'kysely';
import { forEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { runDarkroom } from '../../test/run-darkroom.ts';
import type { Database } from './database.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openDatabase } from './open-database.ts';

const SHARED_WORK = 3;
const TASK_COSTS = 19;
const SHARES = 20;
/** The tables of this step and of those after it. */
const TABLES_FROM_SHARES = [
  'shares',
  'alerts',
  'alert_messages',
  'engine_history',
  'circuit_openings',
  'upstream_keys',
  'task_tags',
  'upstream_balances',
  'share_tasks',
  'closed_days',
  'usage_days',
  'cost_days',
  'request_log',
  'archives',
  'archived_sums',
];
/** Indexes of these steps on older tables. */
const INDEXES_FROM_SHARES = ['api_keys_by_account', 'tasks_by_other_status', 'tasks_to_erase'];
/** Columns of these steps on older tables. */
const COLUMNS_FROM_SHARES = [
  ['tasks', 'told_progress'],
  ['tasks', 'progress_changes'],
] as const;
/** What a later step drops. */
const DROPPED_SINCE_SHARES = [
  'create index tasks_by_status on tasks (api_key_id, type, status, id)',
  'create index tasks_expiring on tasks (expires_at) where erased_at is null',
];

/** Opens databases with an unexpected schema, as a start does. */
forEachDatabase((_, openTestDatabase) => {
  test('a failing migration ends the start and leaves the old schema and its data intact', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await database.write('secret', (trx) =>
      trx.run(trx.builder.insertInto('secrets').values({ name: 'kept', value: 'as it was' })),
    );
    // As before the step that makes `chores` and `rate_windows`, but for the second table: the step breaks halfway.
    await execute(database, 'drop table chores');
    await execute(database, `delete from schema_migrations where version >= ${SHARED_WORK}`);
    const before = await schemaOf(database);
    assert.ok(!before.tables.includes('chores'));

    await assert.rejects(openDatabase(address), /rate_windows.* already exists/);
    assert.deepEqual(await schemaOf(database), before);
    // Processes that use it continue.
    await execute(database, `insert into secrets (name, value) values ('made since', '')`);
    const kept = await database.read.first(
      database.read.builder.selectFrom('secrets').selectAll().where('name', '=', 'kept'),
    );
    assert.equal(kept?.value, 'as it was');
  });

  test('a database without costs of orders gets their table, and keeps its data', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await database.write('secret', (trx) =>
      trx.run(trx.builder.insertInto('secrets').values({ name: 'kept', value: 'as it was' })),
    );
    const { all } = await schemaOf(database);
    for (const table of ['task_costs', ...TABLES_FROM_SHARES]) await execute(database, `drop table ${table}`);
    for (const index of INDEXES_FROM_SHARES) await execute(database, `drop index ${index}`);
    for (const [table, column] of COLUMNS_FROM_SHARES)
      await execute(database, `alter table ${table} drop column ${column}`);
    for (const statement of DROPPED_SINCE_SHARES) await execute(database, statement);
    await execute(database, `delete from schema_migrations where version >= ${TASK_COSTS}`);
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    assert.deepEqual((await schemaOf(upgraded)).all, all);
    const { read } = upgraded;
    const kept = await read.first(read.builder.selectFrom('secrets').select('value').where('name', '=', 'kept'));
    assert.equal(kept?.value, 'as it was');
    assert.deepEqual(await read.all(read.builder.selectFrom('task_costs').selectAll()), []);
  });

  test('a database without share links gets their table, and keeps its data', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await database.write('secret', (trx) =>
      trx.run(trx.builder.insertInto('secrets').values({ name: 'kept', value: 'as it was' })),
    );
    const { all } = await schemaOf(database);
    for (const table of TABLES_FROM_SHARES) await execute(database, `drop table ${table}`);
    for (const index of INDEXES_FROM_SHARES) await execute(database, `drop index ${index}`);
    for (const [table, column] of COLUMNS_FROM_SHARES)
      await execute(database, `alter table ${table} drop column ${column}`);
    for (const statement of DROPPED_SINCE_SHARES) await execute(database, statement);
    await execute(database, `delete from schema_migrations where version >= ${SHARES}`);
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    assert.deepEqual((await schemaOf(upgraded)).all, all);
    const { read } = upgraded;
    const kept = await read.first(read.builder.selectFrom('secrets').select('value').where('name', '=', 'kept'));
    assert.equal(kept?.value, 'as it was');
    assert.deepEqual(await read.all(read.builder.selectFrom('shares').selectAll()), []);
  });

  test('a process that is started on a newer schema beside one that runs ends with a clear message, and changes nothing', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await database.write('newer', (trx) =>
      trx.run(
        trx.builder
          .insertInto('schema_migrations')
          .values({ version: SCHEMA_VERSION + 1, name: 'of tomorrow', applied_at: 0 }),
      ),
    );
    const before = await schemaOf(database);
    const { code, stdout, stderr } = await serve(address);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      new RegExp(
        `The database has schema version ${SCHEMA_VERSION + 1}, this program knows ${SCHEMA_VERSION}\\. Start the version of Darkroom that wrote it, or a newer one\\.`,
      ),
    );
    assert.doesNotMatch(stderr, /^\s+at /m, 'a message and no stack');
    assert.deepEqual(await schemaOf(database), before);
    await execute(database, `insert into secrets (name, value) values ('goes on', '')`);
  });
});

test('twenty processes that start at once on an empty file make one schema', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-twenty-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'darkroom.db');
  // Threads with separate connections, which start at the same moment: to the file they look like processes.
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const program = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData.module).then(async ({ openSqlite }) => {
      parentPort.postMessage('ready');
      Atomics.wait(workerData.gate, 0, 0);
      const database = await openSqlite({ path: workerData.path, clock: Date });
      await database.write('here', (trx) =>
        trx.run(trx.builder.insertInto('secrets').values({ name: String(workerData.number), value: '' })),
      );
      await database.close();
    });`;
  const module = new URL('./sqlite-database.ts', import.meta.url).href;
  const threads = Array.from({ length: 20 }, (_, number) => {
    const thread = new Worker(program, { eval: true, workerData: { module, gate, path, number } });
    return { ready: once(thread, 'message'), ended: once(thread, 'exit') };
  });
  for (const { ready } of threads) await ready;
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  for (const { ended } of threads) assert.deepEqual(await ended, [0]);
  const database = await openDatabase({ url: null, path });
  t.after(() => database.close());
  const { versions } = await schemaOf(database);
  assert.equal(versions.length, SCHEMA_VERSION);
  const { read } = database;
  assert.equal((await read.all(read.builder.selectFrom('secrets').select('name'))).length, 20);
});

test('a migration reports a full disk', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-no-room-'));
  t.after(() => rm(directory, { recursive: true }));
  const module = new URL('./sqlite-database.ts', import.meta.url).href;
  const program = `
    const { openSqlite } = await import(${JSON.stringify(module)});
    await openSqlite({ path: 'darkroom.db', clock: Date }).catch((error) => console.log(error.message));`;
  // Files may grow to 64 KB, which is less than the schema takes.
  const command = `trap '' XFSZ; ulimit -f 128; exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program], { cwd: directory });
  assert.match(stdout, /disk/);
});

async function serve(address: TestDatabase['address']) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-newer-'));
  const data = address.url === null ? dirname(address.path) : join(directory, 'data');
  const variables = {
    DARKROOM_DATA_DIR: data,
    DARKROOM_PORT: '0',
    ...(address.url === null ? {} : { DARKROOM_DATABASE_URL: address.url }),
  };
  return await runDarkroom(['serve'], variables, directory).finally(() => rm(directory, { recursive: true }));
}

async function execute(database: Database, text: string): Promise<void> {
  await database.write('test', (trx) =>
    trx.run({ compile: () => sql.raw(text).compile(trx.builder) } as Compilable<unknown>),
  );
}

/** Every table, column and index, and the steps that were made. */
async function schemaOf(database: Database) {
  const { read } = database;
  const rows = (text: string) =>
    read.all({ compile: () => sql.raw(text).compile(read.builder) } as Compilable<{ name: string; what: string }>);
  const all =
    database.kind === 'sqlite'
      ? await rows(`select name, type || ' ' || sql as what from sqlite_master where sql is not null order by name`)
      : [
          ...(await rows(
            `select table_name as name, 'table ' || column_name || ' ' || data_type as what from information_schema.columns where table_schema = 'public' order by 1, 2`,
          )),
          ...(await rows(
            `select indexname as name, indexdef as what from pg_indexes where schemaname = 'public' order by 1`,
          )),
        ];
  const versions = await read.all(read.builder.selectFrom('schema_migrations').selectAll().orderBy('version'));
  return {
    all: all.map(({ name, what }) => `${name} ${what}`),
    tables: [...new Set(all.filter(({ what }) => what.startsWith('table ')).map(({ name }) => name))],
    versions: versions.map(({ version, name }) => `${version} ${name}`),
  };
}
