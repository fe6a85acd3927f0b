import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Compilable, sql } from 'kysely';
import { ADDED } from '../../test/helpers/additions.ts';
import { forEachDatabase, type TestDatabase } from '../../test/helpers/databases.ts';
import { runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { execute, placeOldSchema, readOldInstallation } from '../../test/upgrade/version-76.ts';
import type { Database } from './database.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openDatabase } from './open-database.ts';

/** Opens databases with an unexpected schema, as a start does. */
forEachDatabase((_, openTestDatabase) => {
  test('a failing step ends the start and leaves the old schema and its data intact', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    // One of the last steps would make this table.
    await execute(database, 'create table usage_quarters (id text)');
    const before = await schemaOf(database);
    await assert.rejects(openDatabase(address), /usage_quarters.* already exists/);
    assert.deepEqual(await schemaOf(database), before);
    // Processes that use it continue.
    await execute(database, `insert into secrets (name, value) values ('made since', '')`);
  });

  test('tables of an addition are created where they are missing, and kept where they are', async (t) => {
    const { address } = await openTestDatabase(t);
    const first = 'create table added_first (id text not null, constraint added_first_pk primary key (id));';
    const second = 'create table added_second (id text not null, constraint added_second_pk primary key (id));';
    const index = 'create index added_second_ids on added_second (id);';
    for (const added of [[first], [`${first}\n${second}\n${index}`], [`${first}\n${second}\n${index}`]]) {
      const database = await openDatabase({ ...address, added });
      await execute(database, `insert into added_first (id) values ('${await countOf(database)}')`);
      await database.close();
    }
    const database = await openDatabase(address);
    assert.equal(await countOf(database), 3);
    await database.close();
  });

  test('a database of the oldest schema that is upgraded gets the schema of a new one', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const { all } = await schemaOf(database);
    await placeOldSchema(database, readOldInstallation());
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    assert.deepEqual((await schemaOf(upgraded)).all, all);
  });

  test('a database of an older checkout is refused with what to do, and stays as it is', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await execute(database, 'update schema_migrations set version = 75');
    const before = await schemaOf(database);
    await assert.rejects(
      openDatabase(address),
      /schema version 75, and this program upgrades from 76 on\. Start the checkout 2044bb8b on it once/,
    );
    assert.deepEqual(await schemaOf(database), before);
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
    import(workerData.module).then(async ({ openDatabase }) => {
      parentPort.postMessage('ready');
      Atomics.wait(workerData.gate, 0, 0);
      const database = await openDatabase({ url: null, path: workerData.path });
      await database.write('here', (trx) =>
        trx.run(trx.builder.insertInto('secrets').values({ name: String(workerData.number), value: '' })),
      );
      await database.close();
    });`;
  const module = new URL('./open-database.ts', import.meta.url).href;
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
  assert.equal(Number.parseInt(versions.at(-1) ?? '', 10), SCHEMA_VERSION);
  const { read } = database;
  assert.equal((await read.all(read.builder.selectFrom('secrets').select('name'))).length, 20);
});

test('a program that opens a database waits six seconds for a process that stands still with its lock', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-still-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'darkroom.db');
  await (await openDatabase({ url: null, path })).close();
  const program = `
    const { workerData: path, parentPort } = require('node:worker_threads');
    const database = new (require('node:sqlite').DatabaseSync)(path);
    database.exec('begin immediate');
    parentPort.postMessage('locked');
    setTimeout(() => database.close(), 6_000);`;
  const other = new Worker(program, { eval: true, workerData: path });
  const ended = once(other, 'exit');
  await once(other, 'message');
  const database = await openDatabase({ url: null, path });
  await database.close();
  assert.deepEqual(await ended, [0]);
});

test('a program that opens a new file waits for a process that writes to it before it has a write-ahead log', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-first-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'darkroom.db');
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const opening = openDatabase({ url: null, path });
  opening.catch(() => {});
  await delay(200);
  other.close();
  await (await opening).close();
});

test('a migration reports a full disk', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-no-room-'));
  t.after(() => rm(directory, { recursive: true }));
  const module = new URL('./open-database.ts', import.meta.url).href;
  const program = `
    const { openDatabase } = await import(${JSON.stringify(module)});
    await openDatabase({ url: null, path: 'darkroom.db' }).catch((error) => console.log(error.message));`;
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

/** Every table, column and index, and the steps that were made. */
async function schemaOf(database: Database) {
  const { read } = database;
  const rows = (text: string) =>
    read.all({ compile: () => sql.raw(text).compile(read.builder) } as Compilable<{ name: string; what: string }>);
  const all =
    database.kind === 'sqlite'
      ? await rows(
          `select found.name, 'table ' || info.name || ' ' || lower(info.type) || ' ' || info."notnull" || info.pk as what
            from sqlite_master found, pragma_table_info(found.name) info where found.type = 'table' and found.name not like 'sqlite_%'
            union all select name, lower(sql) from sqlite_master where type = 'index' and sql is not null order by 1`,
        )
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
    all: all.map(({ name, what }) => `${name} ${what.replace(/\s+/g, ' ')}`),
    tables: [...new Set(all.filter(({ what }) => what.startsWith('table ')).map(({ name }) => name))],
    versions: versions.map(({ version, name }) => `${version} ${name}`),
  };
}

async function countOf({ read }: Database): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count from added_first`;
  const row = await read.first({ compile: () => query.compile(read.builder) } as Compilable<{ count: number }>);
  return Number(row?.count);
}
