import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Client } from 'pg';
import type { Database } from '../../src/database/database.ts';
import { type OidcProvider, startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { growLarge, type StoppedDatabase } from './grow-large.ts';
import { MAY_READ } from './grown-tables.ts';
import { wideReadsOfSqlite } from './pages-read.ts';
import { readEverything } from './read-everything.ts';
import { wideReads } from './rows-read.ts';
import { type SeenStatement, watchStatements } from './watch-statements.ts';

const PLAIN_ORDER = { model_id: 'sketch', prompt: 'a fox', size: '256x256' };
const ORDER = { ...PLAIN_ORDER, end_user: 'ann' };
const DAY_MS = 86_400_000;
/** Tables that the statements must name. */
const NAMED = [
  ...['webhook_deliveries', 'batches', 'reconciliation', 'ledger_checkpoints'],
  ...['usage_days', 'usage_quarters', 'cost_days', 'task_costs', 'memberships', 'person_keys', 'person_sessions'],
];
/** Processes, queues, keys and what is open are few. */
const MOST_MORE = 200;

test('with 100,000 orders of one key, no statement reads many times the rows that it returns, planned with or without statistics', async (t) => {
  const receiver = await startReceiver(t, () => 204);
  const provider = await startOidcProvider(t);
  const statementsSoFar = watchStatements(t);
  const started = await startTestService(t, {
    env: { ...provider.env, DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
    service: { engines: [createSwiftEngine()] },
  });
  provider.serve(started.url);
  const key = await order(started, provider, receiver.url);
  await started.service.runHousekeeping();
  await started.service.stop({ now: true });
  const statements = statementsSoFar().filter(({ text }) => !MAY_READ.some(({ matches }) => matches.test(text)));
  for (const name of NAMED)
    assert.ok(
      statements.some(({ text }) => text.includes(name)),
      `nothing names ${name}`,
    );
  assert.ok(key.startsWith('dk_'));
  const { databaseUrl, databasePath } = started.config;
  await (databaseUrl === null ? onSqlite(databasePath, statements) : onPostgres(databaseUrl, statements));
});

/** Places orders alone and in a batch, lets them end, refuses some, and reads all that there is to read. */
async function order(service: TestService, provider: OidcProvider, hook: string): Promise<string> {
  const { call, issueKey, make } = service;
  const limits = { day: 1_000_000, month: 2_000_000, total: null };
  const { key, key_id: keyId } = await issueKey({
    mode: 'test',
    accountView: true,
    spendLimits: limits,
    endUserLimits: limits,
  });
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
  const manager = await comeByInvitation(service, provider);
  // It closes the days before today.
  await service.service.runHousekeeping();
  await insertPast(service.database, keyId, tasks[0]!);
  await call(service.keys.admin, 'POST', '/admin/v1/hold', { message: 'for a while' });
  await call(service.keys.admin, 'DELETE', '/admin/v1/hold');
  const places = { task: tasks[1]!, batch: batches[1]!, key: keyId, day: `from=${dayBefore(3)}&to=${dayBefore(2)}` };
  const asked = await readEverything(service, { key, manager }, places);
  assert.ok(asked > 80, `${asked} requests`);
  return key;
}

/** Invites a person, who signs in and orders. @returns the bearer of the person */
async function comeByInvitation(service: TestService, provider: OidcProvider): Promise<string> {
  const { call, keys, make } = service;
  const email = 'ada@example.com';
  provider.people.set('ada', { sub: 'ada', email, email_verified: true, name: 'Ada' });
  const wish = { account_id: 'default', role: 'manager', email };
  const { data: invitation } = await call(keys.admin, 'POST', '/admin/v1/invitations', wish);
  const person = await signInAs(service, provider, 'ada', invitation.url ?? '');
  const bearer = await person.bearer({ account_id: 'default', mode: 'test' });
  const { task_id: id } = await make(bearer, '/v1/images', PLAIN_ORDER);
  assert.equal((await call(bearer, 'GET', `/v1/account/tasks/${id}`)).status, 200);
  await call(bearer, 'POST', '/v1/account/invitations', { role: 'viewer', email: 'bob@example.com' });
  return bearer;
}

/** Rows of earlier days, which a service that has just started lacks. */
async function insertPast(database: Database, keyId: string, taskId: string): Promise<void> {
  const day = Math.floor(Date.now() / DAY_MS) - 1;
  const sums = { model_id: 'sketch', tasks: 1, charged: 1 };
  const outcome = { task_id: taskId, kind: 'outcome_unknown', detail_json: '{}' } as const;
  const cost = { account_id: 'default', model_id: 'sketch', engine: 'sketch' };
  const figures = { orders: 1, unsuccessful: 0, unknown: 0, revenue: 1, expected: 1, told: 1, cost: 1 };
  const notes = { without_amount: 0, differing: 0, below_cost: 0, revenue_without_amount: 0, unknown_cost: 0 };
  await database.write('test', async (trx) => {
    const { builder } = trx;
    await trx.run(
      builder
        .insertInto('reconciliation')
        .values({ id: 'rec_0', ...outcome, created_at: 1, resolved_at: 2, resolution: 'known' }),
    );
    await trx.run(builder.insertInto('usage_days').values({ ...sums, api_key_id: keyId, day, status: 'succeeded' }));
    await trx.run(
      builder.insertInto('usage_quarters').values({
        ...sums,
        api_key_id: keyId,
        quarter: day * 96,
        status: 'succeeded',
        end_user: 'ann',
        end_user_sent: 'ann',
      }),
    );
    await trx.run(builder.insertInto('cost_days').values({ day, ...cost, ...figures, ...notes }));
    await trx.run(
      builder.insertInto('task_costs').values({
        ...cost,
        task_id: taskId,
        upstream_model: '',
        outcome: 'succeeded',
        charged: 1,
        expected: 1,
        told: 1,
        told_units: null,
        settled_at: day * DAY_MS,
        assumed: 0,
        is_short: 0,
      }),
    );
  });
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
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
