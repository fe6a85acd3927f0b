import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHeartbeatStore } from '@darkroom-service/store';
import { Client } from 'pg';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { createPostgresDatabase } from '../../../test/helpers/postgres-server.ts';
import { openTransactionPooler } from '../../../test/helpers/transaction-pooler.ts';
import { SCHEMA_VERSION } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open-database.ts';
import { diagnose } from './diagnosis.ts';

const PROCESS = { id: 'p', role: 'all', host: 'h', machine: 'm', pid: 1, version: '0', lockPath: '' };

test('diagnosing a PostgreSQL database changes nothing, not even an older schema', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-diagnosis-'));
  t.after(() => rm(directory, { recursive: true }));
  const url = await createPostgresDatabase(t);
  const config = loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory });
  const look = async () => {
    const [database] = await Array.fromAsync(diagnose(config, Date.now()));
    return [database?.status, database?.found];
  };
  const query = async (text: string) => {
    const client = new Client(url);
    await client.connect();
    return (await client.query(text).finally(() => client.end())).rows as unknown;
  };
  await query('drop schema public cascade; create schema public');
  assert.deepEqual(await look(), ['ok', 'PostgreSQL answers, without a schema: the first start makes it']);
  assert.deepEqual(await query(`select to_regclass('schema_migrations') as made`), [{ made: null }]);
  const database = await openDatabase({ url, path: '', listen: false });
  await database.close();
  assert.deepEqual(await look(), ['ok', `PostgreSQL answers, schema version ${SCHEMA_VERSION}`]);
  await query(`update schema_migrations set version = ${SCHEMA_VERSION - 1}`);
  const [status, found] = await look();
  assert.deepEqual([status, found?.endsWith(`brought to ${SCHEMA_VERSION} at the next start`)], ['ok', true]);
  assert.deepEqual(await query('select max(version) as version from schema_migrations'), [
    { version: SCHEMA_VERSION - 1 },
  ]);
  await query(`insert into schema_migrations values (${SCHEMA_VERSION + 1}, 'later', 0)`);
  assert.equal((await look())[0], 'failed');
});

test('doctor says what a transaction pooler takes away, and how far behind a replica is', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-diagnosis-'));
  t.after(() => rm(directory, { recursive: true }));
  const direct = await createPostgresDatabase(t);
  const url = await openTransactionPooler(t, direct, { ignoresParameters: false });
  const look = async (more: Record<string, string>) => {
    const config = loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory, ...more });
    return (await Array.fromAsync(diagnose(config, Date.now()))).flatMap(({ name, status, found }) =>
      name.startsWith('database') && name !== 'database standbys' && name !== 'database writes'
        ? [`${status}: ${found}`]
        : [],
    );
  };
  const pooled = (heard: string) =>
    `ok: PostgreSQL answers through a transaction pooler (each statement is planned anew; ${heard}), schema version ${SCHEMA_VERSION}`;
  assert.deepEqual(await look({}), [pooled('changes by other processes are found within a second')]);
  const replica = { DARKROOM_DATABASE_LISTEN_URL: direct, DARKROOM_DATABASE_REPLICA_URL: direct };
  const [database, behind] = await look(replica);
  assert.equal(database, pooled('other processes are heard at DARKROOM_DATABASE_LISTEN_URL'));
  assert.equal(behind, 'warning: the replica answers and shows no heartbeat of any process');
  const heartbeats = openHeartbeatStore({ url: direct, path: '' }, PROCESS);
  await heartbeats.beat(null);
  await heartbeats.close();
  assert.equal((await look(replica))[1], 'ok: the replica answers and is at most ten seconds behind');
});

test('a clock that differs from that of the database server is found, ahead or behind', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-diagnosis-'));
  t.after(() => rm(directory, { recursive: true }));
  const url = await createPostgresDatabase(t);
  const config = loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory });
  const look = async (aheadMs: number) => {
    const clock = (await Array.fromAsync(diagnose(config, Date.now() + aheadMs))).find(({ name }) => name === 'clock');
    return [clock?.status, clock?.found.replace(/^\S+/, '')];
  };
  assert.deepEqual(await look(0), ['ok', ' as on the database server']);
  assert.match((await look(1_800_000)).join(), /^failed, 1[78]\d\d s ahead of the database server$/);
  assert.match((await look(-1_800_000)).join(), /^failed, 1[78]\d\d s behind the database server$/);
});

test('a PostgreSQL database that takes no writes is a fault', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-diagnosis-'));
  t.after(() => rm(directory, { recursive: true }));
  const url = await createPostgresDatabase(t);
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database "${rows[0].name}" set default_transaction_read_only = on`);
  await client.end();
  const [database] = await Array.fromAsync(
    diagnose(loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory }), Date.now()),
  );
  assert.equal(database?.status, 'failed');
  assert.match(database?.found ?? '', /takes no writes/);
});

test('a storage that hangs holds up no line before its own, and is told with its reason within ten seconds', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-diagnosis-'));
  t.after(() => rm(directory, { recursive: true }));
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  const config = loadConfig({
    DARKROOM_DATA_DIR: directory,
    DARKROOM_STORAGE_URL: `s3://pictures/?endpoint=http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const findings = diagnose(config, Date.now());
  assert.equal((await findings.next()).value?.name, 'database');
  assert.equal(sockets.length, 0, 'the first line does not wait for the storage');
  const { value: storage } = await findings.next();
  assert.deepEqual([storage?.name, storage?.status], ['storage', 'failed']);
  // After ten seconds the check would end with a reason of its own.
  assert.match(storage?.found ?? '', /timeout|timed out|ETIMEDOUT/i);
  await findings.return(undefined);
});
