import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Client } from 'pg';
import { startTestService, type TestService } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';
import { startReceiver } from '../webhook-receiver.ts';
import { growLarge, type StoppedDatabase } from './grow-large.ts';
import { MAY_READ } from './grown-tables.ts';
import { wideReadsOfSqlite } from './pages-read.ts';
import { readEverything } from './read-everything.ts';
import { wideReads } from './rows-read.ts';
import { type SeenStatement, watchStatements } from './watch-statements.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '256x256', end_user: 'ann' };
/** Processes, queues, keys and what is open are few. */
const MOST_MORE = 200;

test('with 100,000 orders of one key, no statement reads many times the rows that it returns, planned with or without statistics', async (t) => {
  const receiver = await startReceiver(t, () => 204);
  const started = await startTestService(t, {
    env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
    service: { engines: [createSwiftEngine()] },
  });
  const statementsSoFar = watchStatements(t);
  const key = await order(started, receiver.url);
  await started.service.runHousekeeping();
  await started.service.stop({ now: true });
  const statements = statementsSoFar().filter(({ text }) => !MAY_READ.some(({ matches }) => matches.test(text)));
  for (const name of ['webhook_deliveries', 'batches', 'reconciliation', 'ledger_checkpoints'])
    assert.ok(
      statements.some(({ text }) => text.includes(name)),
      `nothing names ${name}`,
    );
  assert.ok(key.startsWith('dk_'));
  const { databaseUrl, databasePath } = started.config;
  await (databaseUrl === null ? onSqlite(databasePath, statements) : onPostgres(databaseUrl, statements));
});

/** Places orders alone and in a batch, lets them end, refuses some, and reads all that there is to read. */
async function order(service: TestService, hook: string): Promise<string> {
  const { call, issueKey, make } = service;
  const limits = { day: 1_000_000, month: 2_000_000, total: null };
  const { key } = await issueKey({ mode: 'test', accountView: true, spendLimits: limits, endUserLimits: limits });
  const tasks: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { task_id: id } = await make(key, '/v1/images', { ...ORDER, webhook_url: hook });
    tasks.push(id);
    await call(key, 'PUT', `/v1/images/${id}/tags`, { tags: ['hero'] });
    await call(key, 'POST', '/v1/shares', { task_id: id });
  }
  const orders = [1, 2].map((seed) => ({ operation: 'images', body: { ...ORDER, seed } }));
  const batches: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { data: batch } = await call(key, 'POST', '/v1/batches', { orders });
    batches.push(batch.batch_id);
    await until(
      async () => (await call(key, 'GET', `/v1/batches/${batch.batch_id}`)).data.status,
      (status) => status !== 'processing',
    );
  }
  await until(
    async () => (await call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items,
    (deliveries) =>
      deliveries.length >= 3 && deliveries.every(({ status }: { status: string }) => status !== 'pending'),
  );
  await call(service.keys.admin, 'POST', '/admin/v1/accounts/default/credit', { amount: '1.00' });
  const { database } = service;
  await database.write('test', (trx) =>
    trx.run(
      trx.builder.insertInto('reconciliation').values({
        id: 'rec_0',
        task_id: tasks[0]!,
        kind: 'outcome_unknown',
        detail_json: '{}',
        created_at: 1,
        resolved_at: 2,
        resolution: 'known',
      }),
    ),
  );
  await call(service.keys.admin, 'POST', '/admin/v1/hold', { message: 'for a while' });
  await call(service.keys.admin, 'DELETE', '/admin/v1/hold');
  const asked = await readEverything(service, key, { task: tasks[1]!, batch: batches[1]! });
  assert.ok(asked > 80, `${asked} requests`);
  return key;
}

async function onSqlite(path: string, statements: readonly SeenStatement[]): Promise<void> {
  const connection = new DatabaseSync(path);
  connection.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -200000');
  const database: StoppedDatabase = {
    kind: 'sqlite',
    all: async (sql) => connection.prepare(sql).all(),
    run: async (sql) => connection.exec(sql),
  };
  await growLarge(database);
  connection.exec('pragma wal_checkpoint(truncate)');
  assert.deepEqual(wideReadsOfSqlite(path, statements), [], 'without statistics');
  connection.exec('analyze; pragma wal_checkpoint(truncate)');
  connection.close();
  assert.deepEqual(wideReadsOfSqlite(path, statements), [], 'with statistics');
}

async function onPostgres(url: string, statements: readonly SeenStatement[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await growLarge({
      kind: 'postgres',
      all: async (sql) => (await client.query(sql)).rows,
      run: async (sql) => void (await client.query(sql)),
    });
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
  assert.deepEqual(await wideReads(url, statements, MOST_MORE), []);
}
