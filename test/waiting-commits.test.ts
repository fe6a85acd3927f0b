import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { prepare } from '../src/database/prepared.ts';
import { auditBalances, auditSettlements } from '../src/service/doctor/audit-ledger.ts';
import { diagnose } from '../src/service/doctor/diagnosis.ts';
import { openOwnPostgres } from './chaos/own-postgres.ts';
import { loadConfig } from './helpers/load-config.ts';
import { loggedLines } from './helpers/logged-lines.ts';
import { askPostgres } from './helpers/postgres-server.ts';
import { startTestService } from './helpers/service.ts';
import { createSwiftEngine } from './helpers/swift-engine.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

/** Opens a PostgreSQL whose commits can be made to wait for a standby that is not there. */
async function openWaitingPostgres(t: TestContext) {
  const server = await openOwnPostgres();
  t.after(() => server.close());
  const { url } = server;
  const waitFor = async (standbys: string) => {
    await askPostgres(url, `alter system set synchronous_standby_names = '${standbys}'`);
    await askPostgres(url, 'select pg_reload_conf()');
    await until(
      () => askPostgres(url, 'show synchronous_standby_names'),
      ([row]) => row?.synchronous_standby_names === standbys,
    );
  };
  return { url, waitFor };
}

test('while commits wait for a standby that is gone, an order is answered as unknown in time, doctor has one finding, and afterwards the order is there once', async (t) => {
  const { url, waitFor } = await openWaitingPostgres(t);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-waiting-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const service = await startTestService(t, { env: { DARKROOM_DATABASE_URL: url } });
  const { call, keys } = service;
  const place = (key: string) => call(keys.live, 'POST', '/v1/images', ORDER, { 'idempotency-key': key });
  const balance = async () => (await call(keys.live, 'GET', '/v1/account')).data.balance;
  const before = await balance();
  await waitFor('frozen');

  const unknown = await place('one');
  assert.equal(unknown.status, 503);
  assert.match(unknown.error.message, /did not confirm the commit/);
  const refused = await place('two');
  assert.deepEqual([refused.status, refused.error.retryable], [503, true]);
  const waiting = await askPostgres(url, "select count(*) as n from pg_stat_activity where wait_event = 'SyncRep'");
  assert.ok(Number(waiting[0]?.n) <= 4, `${waiting[0]?.n} commits wait`);

  const config = loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory });
  const findings = await Array.fromAsync(diagnose(config, Date.now()));
  const failures = findings.filter(({ status }) => status === 'failed');
  assert.deepEqual(
    failures.map(({ name }) => name),
    ['database writes'],
  );
  assert.match(failures[0]?.found ?? '', /commits wait for a synchronous standby .*"frozen"/);
  for (const { found } of findings) assert.doesNotMatch(found, /Connection terminated|Client has|no answer within/);

  await waitFor('');
  const placed = await until(
    () => place('one'),
    ({ status }) => status === 201,
  );
  const again = await place('one');
  assert.equal(again.data.task_id, placed.data.task_id);
  await until(
    async () => (await call(keys.live, 'GET', placed.data.urls.self)).data.status,
    (status) => status === 'succeeded',
  );
  const listed = (await call(keys.live, 'GET', '/v1/images')).data.items;
  assert.deepEqual(
    listed.map(({ task_id }) => task_id),
    [placed.data.task_id],
  );
  const { amount } = (await call(keys.live, 'GET', placed.data.urls.self)).data.cost;
  const micros = (text: string | null) => Math.round(Number(text) * 1e6);
  if (before !== null) assert.equal(micros(await balance()), micros(before) - micros(amount));
});

test('an order whose settling commit waits for a standby that is gone is made once, and settled once when it is back', async (t) => {
  const { url, waitFor } = await openWaitingPostgres(t);
  const started: string[] = [];
  const { log, lines } = loggedLines('debug');
  const swift = createSwiftEngine();
  const service = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: url },
    service: {
      log,
      engines: [
        {
          ...swift,
          repeatable: false,
          async start(order, context) {
            started.push(order.taskId);
            return await swift.start(order, context);
          },
        },
      ],
    },
  });
  const { call, keys, database } = service;
  // Only the commit that charges waits.
  await askPostgres(url, "alter system set synchronous_commit = 'local'");
  await askPostgres(
    url,
    `create function wait_for_standby() returns trigger language plpgsql
      as $$ begin perform set_config('synchronous_commit', 'on', true); return null; end $$`,
  );
  await askPostgres(
    url,
    `create trigger settles after insert on ledger for each row when (new.kind = 'charge')
      execute function wait_for_standby()`,
  );
  await waitFor('frozen');
  const { data: order } = await call(keys.live, 'POST', '/v1/images', ORDER);
  await until(
    async () => lines.filter(({ msg, task_id: id }) => id === order.task_id && /could not save/.test(String(msg))),
    (found) => found.length > 0,
  );
  assert.notEqual((await call(keys.live, 'GET', order.urls.self)).data.status, 'succeeded', 'before it is certain');
  await waitFor('');
  const ended = await until(
    async () => (await call(keys.live, 'GET', order.urls.self)).data,
    ({ status }) => status === 'succeeded',
  );
  assert.deepEqual(started, [order.task_id]);
  const { read } = database;
  const entries = await read.all(
    read.builder.selectFrom('ledger').select(['kind', 'amount']).where('task_id', '=', order.task_id).orderBy('kind'),
  );
  const price = entries.find(({ kind }) => kind === 'release')?.amount ?? 0;
  assert.deepEqual(
    entries.map(({ kind, amount }) => [kind, Number(amount)]),
    [
      ['charge', -price],
      ['hold', -price],
      ['release', Number(price)],
    ],
  );
  for (const { faults } of [await auditBalances(read), await auditSettlements(read)]) assert.deepEqual(faults, []);
  const size = ended.outputs[0]?.bytes;
  // What the worker does after it knows is done by then.
  await service.service.stop();
  const files = globSync('files/**/*', { cwd: service.config.dataDirectory }).map((path) =>
    statSync(join(service.config.dataDirectory, path)),
  );
  assert.equal(files.filter((file) => file.isFile() && file.size === size).length, 1, 'its output is kept');
});

test('a sent write may wait longer for a row than its commit for a confirmation', async (t) => {
  const { url } = await openWaitingPostgres(t);
  const { database } = await startTestService(t, { env: { DARKROOM_DATABASE_URL: url } });
  const change = prepare<{ value: string }, unknown>('waiting_change', (builder, argument) =>
    builder
      .updateTable('secrets')
      .set({ value: argument('value') })
      .where('name', '=', 'row'),
  );
  await askPostgres(url, "insert into secrets (name, value) values ('row', 'first')");
  const holding = askPostgres(
    url,
    "with held as materialized (select name from secrets where name = 'row' for update) select pg_sleep(11) from held",
  );
  await until(
    () => askPostgres(url, "select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'"),
    ([row]) => Number(row?.n) > 0,
  );
  await database.write('change', async (trx) => trx.send(change, { value: 'second' }));
  await holding;
  assert.deepEqual(await askPostgres(url, "select value from secrets where name = 'row'"), [{ value: 'second' }]);
});
