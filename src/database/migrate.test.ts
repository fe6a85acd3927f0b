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
import { ADDED } from '../../test/additions.ts';
import { forEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { runDarkroom } from '../../test/run-darkroom.ts';
import { beforeGates, MOVES } from '../../test/upgrade/before-gates.ts';
import { execute, type OldInstallation, placeOldSchema, readOldInstallation } from '../../test/upgrade/version-52.ts';
import { PARENT_GATE } from '../additions/chains/waits.ts';
import { auditDaySums } from '../service/doctor/audit-day-sums.ts';
import { GATES } from '../tasks/gates.ts';
import type { Database } from './database.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openDatabase } from './open-database.ts';

/** Opens databases with an unexpected schema, as a start does. */
forEachDatabase((_, openTestDatabase) => {
  test('a failing step ends the start and leaves the old schema and its data intact', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    // One of the last steps would make this table.
    await execute(database, 'create table rebuilt (id text)');
    const before = await schemaOf(database);
    await assert.rejects(openDatabase(address), /rebuilt.* already exists/);
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

  test('a database of the last checkout gets the schema of a new one', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const { all } = await schemaOf(database);
    await placeOldSchema(database, readOldInstallation());
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    assert.deepEqual((await schemaOf(upgraded)).all, all);
  });

  test('a database of an older checkout is refused with what to do', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await execute(database, 'update schema_migrations set version = 51');
    await assert.rejects(
      openDatabase(address),
      /schema version 51, and this program upgrades from 52 on\. Start the checkout b9a24459 on it once/,
    );
  });

  test('orders of unknown outcome are taken out of the costs of days that were summed with them', async (t) => {
    const { database, address } = await openTestDatabase(t);
    for (const [id, outcome, charged, expected] of [
      ['img_known', 'succeeded', 50_000, 20_000],
      ['img_unstated', 'succeeded', 70_000, null],
      ['img_unknown', 'unknown', 0, 30_000],
      ['img_unknown_unstated', 'unknown', 0, null],
    ])
      await execute(
        database,
        `insert into task_costs (task_id, account_id, model_id, engine, upstream_model, outcome, charged, expected, told, told_units, settled_at)
          values ('${id}', 'acc_a', 'sketch', 'fal', '', '${outcome}', ${charged}, ${expected}, null, null, 864000005)`,
      );
    const columns =
      'day, account_id, model_id, engine, orders, unsuccessful, unknown, revenue, expected, told, cost, without_amount, differing, below_cost, revenue_without_amount, unknown_cost';
    // The second one has no rows any more.
    for (const day of [10, 9])
      await execute(
        database,
        `insert into cost_days (${columns}) values (${day}, 'acc_a', 'sketch', 'fal', 4, 0, 2, 120000, 50000, 0, 50000, 2, 0, 0, 0, 0)`,
      );
    await execute(database, "insert into closed_days values ('costs', 12, 0, 10)");
    await execute(database, 'alter table cost_days drop column unknown_cost');
    await execute(database, 'alter table openai_calls drop column process');
    await execute(database, 'alter table task_costs drop column assumed');
    await execute(database, 'alter table tasks drop column followed');
    await execute(database, MOVES);
    await beforeGates(database);
    await execute(database, 'alter table circuits drop column kind');
    await execute(database, 'update schema_migrations set version = 54');
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    assert.deepEqual(await auditDaySums(upgraded.read), { looked: 2, faults: [] });
    const days = upgraded.read.builder
      .selectFrom('cost_days')
      .select(['day', 'cost', 'without_amount', 'unknown_cost']);
    assert.deepEqual(await upgraded.read.all(days.orderBy('day')), [
      { day: 9, cost: 50_000, without_amount: 2, unknown_cost: 0 },
      { day: 10, cost: 20_000, without_amount: 1, unknown_cost: 30_000 },
    ]);
  });

  test('orders of older schemas name their webhook, the delivery of their outputs, and while they are open who hashes these, who waits for them and which batch they wake', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    const awaited = new Set<unknown>();
    const inBatch = new Set<unknown>();
    for (const { id, awaited: isAwaited, batch_id: batch } of readOldInstallation().rows.tasks ?? []) {
      if (isAwaited === 1) awaited.add(id);
      if (batch !== null) inBatch.add(id);
    }
    for (const version of [32, 58]) {
      const upgraded = await openDatabase(address);
      t.after(() => upgraded.close());
      const { read } = upgraded;
      const rows = await read.all(
        read.builder.selectFrom('tasks').select(['id', 'step', 'followed', 'webhook_url', 'deliver_json']),
      );
      const expected = rows.map(
        ({ id, step, webhook_url: url, deliver_json: to }) =>
          (url === null ? 0 : 1) +
          (to === null ? 0 : 2) +
          (step === 'final' ? 0 : (awaited.has(id) ? 12 : 4) + (inBatch.has(id) ? 16 : 0)),
      );
      assert.deepEqual(
        rows.map(({ followed }) => followed),
        expected,
      );
      const inBulk = await read.all(read.builder.selectFrom('tasks').select('id').where('line', '=', 1));
      assert.deepEqual(new Set(inBulk.map(({ id }) => id)), inBatch);
      for (const seen of version === 32 ? [1, 4, 12, 20] : [3, 7, 23]) assert.ok(expected.includes(seen));
      await execute(upgraded, "update tasks set webhook_url = 'https://example.com/', deliver_json = '{}'");
      await execute(upgraded, 'alter table tasks drop column followed');
      await execute(upgraded, MOVES);
      await beforeGates(upgraded);
      await execute(upgraded, 'delete from schema_migrations');
      await execute(upgraded, "insert into schema_migrations values (58, 'circuit-kinds', 0)");
      awaited.clear();
    }
  });

  test('open orders of older schemas wait for what they waited for: other orders, their batch, references, a route, or nothing', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const old = readOldInstallation();
    const { tasks = [] } = old.rows;
    const ended = tasks.find(({ step }) => step === 'final')?.id;
    const inBatch = tasks.find(({ rank }) => Number(rank) < -1) ?? assert.fail();
    await placeOldSchema(database, old);
    await execute(database, `update tasks set unfetched = 1 where id = '${ended}'`);
    const waiting = `{"for":["img_a"],"depth":1,"rank":${inBatch.rank}}`;
    const blocked = `step = 'blocked', rank = -1, unfetched = 1, waiting_json = '${waiting}'`;
    await execute(database, `update tasks set ${blocked} where id = '${inBatch.id}'`);
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;
    const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'gates', 'step', 'rank']));
    const isParked = ({ step, next_at, deadline_at }: (typeof tasks)[number]) =>
      step === 'waiting' && next_at !== null && Number(next_at) < Number(deadline_at);
    const gatesOf = (task: (typeof tasks)[number]) => {
      const { id, step, unfetched, rank } = task;
      if (step === 'final') return 0;
      if (isParked(task)) return GATES.route;
      if (id === inBatch.id) return GATES.parent | GATES.batch | GATES.reference;
      return (
        (step === 'blocked' ? GATES.parent : 0) |
        (Number(rank) < -1 ? GATES.batch : 0) |
        (unfetched === 1 ? GATES.reference : 0)
      );
    };
    const stepOf = ({ step }: (typeof tasks)[number]) => (step === 'blocked' ? 'waiting' : step);
    const told = (id: unknown, ...rest: unknown[]) => [id, ...rest].join(' ');
    assert.deepEqual(
      rows.map(({ id, gates, step, rank }) => told(id, gates, step, rank)).sort(),
      tasks.map((task) => told(task.id, gatesOf(task), stepOf(task), Math.max(-1, Number(task.rank)))).sort(),
    );
    const seen = new Set(rows.map(({ gates }) => gates));
    for (const gates of [0, GATES.parent, GATES.batch, GATES.reference, GATES.route, 7])
      assert.ok(seen.has(gates), `${gates}`);
  });

  test('orders of older schemas that wait for others keep for whom, in their order, and how many wait one behind the other', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const old = readOldInstallation();
    const { tasks = [], task_waits: waits = [] } = old.rows;
    await placeOldSchema(database, old);
    const [child = '', ...others] = [
      ...new Set(tasks.filter(({ step }) => step === 'final').map(({ id }) => String(id))),
    ];
    const waiting = { for: others.slice(0, 3).toReversed(), depth: 7, rank: -1 };
    await execute(
      database,
      `update tasks set step = 'blocked', status = 'queued', rank = -1, waiting_json = '${JSON.stringify(waiting)}' where id = '${child}'`,
    );
    for (const [at, parent] of others.slice(0, 4).entries())
      await execute(database, `insert into task_waits values ('${parent}', '${child}', ${at < 3 ? 0 : 1})`);
    await execute(database, `insert into task_waits values ('${child}', '${others[5]}', 0)`);
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;
    const blocked = tasks.filter(({ step }) => step === 'blocked');
    const expected = new Map([...blocked.map(waitingIn), [child, waiting.for] as const]);
    const ids = [...expected.keys()];
    assert.deepEqual(await PARENT_GATE.waitingFor(read, [...ids, others[5]!]), expected);
    const depths = await Promise.all(ids.map((id) => PARENT_GATE.depthOf(read, id)));
    assert.deepEqual(depths, [...blocked.map(depthIn), 7]);
    const rows = await read.all(read.builder.selectFrom('task_waits').select('child_id'));
    assert.equal(rows.length, waits.length + 4, 'those of an order that waits no longer are gone');
  });

  test('a database that accounts have left for another cell, or come to, loses what only their moves needed', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const { all } = await schemaOf(database);
    await placeOldSchema(database, readOldInstallation());
    await enterMove(database, 'source', 'left');
    await enterMove(database, 'target', 'moved');
    for (const name of ['file_signature:of:1f', 'client_tokens:of:1f', 'file_signature:offered'])
      await execute(database, `insert into secrets (name, value) values ('${name}', '{}')`);
    if (database.kind === 'postgres') {
      const watch = 'begin perform 1 from account_moves; return new; end';
      await execute(
        database,
        `create function darkroom_move_accounts() returns trigger language plpgsql as $$ ${watch} $$`,
      );
      await execute(
        database,
        'create trigger darkroom_move before update on accounts for each row execute function darkroom_move_accounts()',
      );
    }
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    await execute(upgraded, "update accounts set name = 'written without a trigger'");
    assert.deepEqual((await schemaOf(upgraded)).all, all);
    const { read } = upgraded;
    const secrets = await read.all(read.builder.selectFrom('secrets').select('name').where('name', 'like', '%:of%'));
    assert.deepEqual(secrets, [{ name: 'file_signature:offered' }]);
  });

  test('a database with an account on its way between two cells is refused with what to do, and stays as it is', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    const before = await schemaOf(database);
    for (const [role, state] of [
      ['source', 'copying'],
      ['source', 'closed'],
      ['source', 'moved'],
      ['source', 'open'],
      ['target', 'copying'],
    ] as const) {
      await enterMove(database, role, state);
      await assert.rejects(
        openDatabase(address),
        /on its way .* Start the version that ran before, and finish or cancel its move/,
        state,
      );
      await execute(database, 'delete from account_moves');
    }
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

function waitingIn({ id, waiting_json: json }: OldInstallation['rows'][string][number]) {
  return [String(id), (JSON.parse(String(json)) as { readonly for: string[] }).for] as const;
}

function depthIn({ waiting_json: json }: OldInstallation['rows'][string][number]): number {
  return (JSON.parse(String(json)) as { readonly depth: number }).depth;
}

async function enterMove(database: Database, role: 'source' | 'target', state: string): Promise<void> {
  await execute(
    database,
    `insert into account_moves values ('${role}', '${role}', '${state}', 'id', 'us1', '', 1, 0, 0, 0)`,
  );
}

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
