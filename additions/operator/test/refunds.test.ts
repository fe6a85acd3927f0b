import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { audit } from '../../../src/service/doctor/audit.ts';
import { ADDED, AUDITS, HOOKS } from '../../../test/helpers/additions.ts';
import { createGatedEngine } from '../../../test/helpers/gated-engine.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** The operator gives the charge of an order back. */

const engine = createGatedEngine();
const receiver = await startReceiver(wholeFile);
const { call, config, database, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { engines: [engine] },
});
const ORDER = { model_id: 'sketch', prompt: 'a fox' };
const refund = (id: string, name?: string) =>
  call(
    keys.admin,
    'POST',
    `/admin/v1/tasks/${id}/refund`,
    undefined,
    name === undefined ? {} : { 'idempotency-key': name },
  );
const balance = async () => (await call(keys.live, 'GET', '/v1/account')).data.balance;
const faults = async () =>
  (await Array.fromAsync(audit(config, Date.now(), { files: 0, tables: ADDED, added: AUDITS, hooks: HOOKS }))).filter(
    ({ status }) => status === 'failed',
  );

test('a refund gives the charge back once, resolves the entry, and tells the customer', async () => {
  const before = await balance();
  const task = await make(keys.live, '/v1/images', { ...ORDER, webhook_url: receiver.url });
  const row = { id: 'rec_1', task_id: task.task_id, kind: 'broken_output', detail_json: '{}', created_at: 0 } as const;
  await database.write('test', (trx) =>
    trx.run(trx.builder.insertInto('reconciliation').values({ ...row, resolved_at: null, resolution: null })),
  );
  const answers = await Promise.all([refund(task.task_id, 'a'), refund(task.task_id, 'a')]);
  for (const { status, data } of answers)
    assert.deepEqual([status, data.status, data.charged, data.refunded], [200, 'succeeded', '0.00', task.cost.amount]);
  const again = await refund(task.task_id);
  assert.deepEqual([again.status, again.error.code], [409, 'not_refundable']);
  assert.match(again.error.message, /it was refunded before/);

  const { data } = await call(keys.live, 'GET', task.urls.self);
  const { state, amount, refunded, quoted, lines } = data.cost;
  assert.deepEqual([data.status, state, amount, refunded], ['succeeded', 'refunded', '0.00', task.cost.amount]);
  assert.deepEqual([quoted, lines], [task.cost.quoted, task.cost.lines]);
  assert.equal(await balance(), before);
  const ledger = (await call(keys.live, 'GET', '/v1/account/ledger')).data.items;
  assert.deepEqual(
    ledger.map(({ kind, task_id: id }) => [kind, id]),
    ['refund', 'charge', 'release', 'hold'].map((kind) => [kind, task.task_id]),
  );
  const usage = (await call(keys.live, 'GET', '/v1/account/usage')).data.items[0];
  assert.deepEqual([usage?.tasks, usage?.charged], [1, '0.00']);
  const [entry] = (await call(keys.admin, 'GET', '/admin/v1/reconciliation?resolved=true')).data.items;
  assert.deepEqual([entry?.task_id, entry?.resolution], [task.task_id, `${task.cost.amount} USD were refunded.`]);
  const acts = (await call(keys.admin, 'GET', '/admin/v1/audit')).data.items.filter(({ act }) => act === 'task.refund');
  assert.deepEqual(
    acts.map(({ target, detail }) => [target, detail]),
    [[task.task_id, { amount: task.cost.amount, account_id: 'default' }]],
  );
  await receiver.count(2);
  const events = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: TaskAnswer });
  assert.deepEqual(events.map(({ type }) => type).sort(), ['task.refunded', 'task.succeeded']);
  assert.equal(events.find(({ type }) => type === 'task.refunded')?.data.cost.state, 'refunded');
  assert.deepEqual(await faults(), []);
});

test('what was never charged cannot be refunded', async () => {
  const failed = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'upstream_error' } });
  const { status, error } = await refund(failed.task_id);
  assert.deepEqual([status, error.code], [409, 'not_refundable']);
  assert.match(error.message, /its status is failed/);
  assert.equal((await refund('img_00000000000000000000000000')).error.code, 'task_not_found');
});

test('the command line refunds a task too, and its key is that of the same request over HTTP', async () => {
  const task = await make(keys.live, '/v1/images', ORDER);
  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const command = ['accounts', 'refund', task.task_id, '--idempotency-key', 'b', '--json'];
  const told = JSON.parse((await runDarkroom(command, variables, config.dataDirectory)).stdout);
  assert.deepEqual([told.refunded, told.charged, told.replayed], [task.cost.amount, '0.00', false]);
  const again = await refund(task.task_id, 'b');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  const { code, stdout } = await runDarkroom([...command.slice(0, 3), '--json'], variables, config.dataDirectory);
  assert.deepEqual([code, JSON.parse(stdout).error.code], [1, 'not_refundable']);
});

test('a batch counts what its orders cost after a refund, whether it has ended or not', async () => {
  const bodies = [ORDER, { ...ORDER, prompt: 'hold it' }];
  const orders = bodies.map((body) => ({ operation: 'images', body }));
  const { data: batch } = await call(keys.live, 'POST', '/v1/batches', { orders });
  const look = async () => (await call(keys.live, 'GET', batch.urls.self)).data;
  await until(look, ({ counts }) => counts.succeeded === 1);
  const [done] = (await call(keys.live, 'GET', `${batch.urls.tasks}?status=succeeded`)).data.items;
  assert.notEqual((await look()).cost.charged, '0.00');
  assert.equal((await refund(done!.task_id)).status, 200);
  assert.equal((await look()).cost.charged, '0.00');
  engine.letEnd('hold it');
  const { cost } = await until(look, ({ status }) => status === 'succeeded');
  assert.equal(cost.charged, done!.cost.amount, 'only the other order');

  const { items } = (await call(keys.live, 'GET', batch.urls.tasks)).data;
  const other = items.find(({ task_id: id }) => id !== done!.task_id);
  assert.equal((await refund(other!.task_id)).status, 200);
  assert.equal((await look()).cost.charged, '0.00');
  assert.deepEqual(await faults(), []);
});
