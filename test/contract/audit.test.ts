import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { openStorage } from '@darkroom-service/files';
import { until } from '@darkroom-service/testing';
import type { Config } from '../../src/service/config/config.ts';
import { audit } from '../../src/service/doctor/audit.ts';
import { paidModel } from '../crash/paid-model.ts';
import { ADDED, AUDITS, HOOKS } from '../helpers/additions.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

/** `doctor --audit` beside a running service. */

/** The findings by what they are about. */
async function lookAt(config: Config, options: { readonly now?: number; readonly files?: number } = {}) {
  const { now = Date.now(), files = Number.POSITIVE_INFINITY } = options;
  const findings = await Array.fromAsync(audit(config, now, { files, tables: ADDED, added: AUDITS, hooks: HOOKS }));
  return new Map(findings.map(({ name, status, found }) => [name.replace('audit ', ''), { status, found }]));
}

test('an audit finds missing ledger rows and files and a wrong checkpoint, and reports nothing else', async (t) => {
  const { call, config, database, keys, make } = await startTestService(t, {
    service: { engines: [createSwiftEngine()] },
  });
  const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
  const first = await make(keys.live, '/v1/images', ORDER);
  const second = await make(keys.live, '/v1/images', ORDER);
  await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'content_policy' } });
  await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 600 } });
  const before = await lookAt(config);
  assert.deepEqual(
    [...before].map(([name, { status }]) => [name, status]),
    [
      'audit',
      'balances',
      'settlements',
      'spend limits',
      'end users',
      'time zones',
      'sums by day',
      'batches',
      'files',
      'stuck orders',
      'money at risk',
      'unknown outcomes',
    ].map((name) => [name, 'ok']),
  );

  await database.write('test', async (trx) => {
    await trx.run(trx.builder.deleteFrom('ledger').where('task_id', '=', first.task_id).where('kind', '=', 'charge'));
    await trx.run(trx.builder.deleteFrom('ledger').where('task_id', '=', second.task_id).where('kind', '=', 'hold'));
    const checkpoint = { account_id: 'default', mode: 'live', until: Date.now() + 60_000, balance: 1 } as const;
    await trx.run(trx.builder.insertInto('ledger_checkpoints').values(checkpoint));
  });
  const storage = await openStorage({ url: null, directory: config.filesDirectory });
  for await (const { key } of storage.list(`tasks/`)) if (key.includes(second.task_id)) await storage.remove(key);
  await storage.close();

  const after = await lookAt(config);
  const wrong = (name: string) => (after.get(name)?.status === 'failed' ? after.get(name)?.found : '') ?? '';
  assert.match(wrong('settlements'), /^2 of 4 tasks are wrong:/);
  assert.match(wrong('settlements'), new RegExp(`task ${first.task_id} \\(final\\): its charge is 0 instead of -\\d+`));
  assert.match(wrong('settlements'), new RegExp(`task ${second.task_id} \\(final\\): its hold is 0 instead of -\\d+`));
  assert.match(wrong('files'), new RegExp(`task ${second.task_id}: its file tasks/.* is not in storage`));
  assert.match(wrong('balances'), /account default live: the checkpoint says 1, its entries add up to 0/);
  assert.equal((await lookAt(config, { files: 0 })).get('files')?.status, 'ok');
});

test('an audit counts all faults and shows a hundred of them', async (t) => {
  const { call, config, database, keys } = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const order = { model_id: 'sketch', prompt: 'a fox', size: '64x64', simulate: { seconds: 600 } };
  for (let count = 0; count < 101; count++)
    assert.equal((await call(keys.test, 'POST', '/v1/images', order)).status, 201);
  await database.write('test', (trx) => trx.run(trx.builder.deleteFrom('ledger').where('kind', '=', 'hold')));
  assert.match(
    (await lookAt(config)).get('settlements')?.found ?? '',
    /^101 of 101 tasks are wrong:\n(.+\n){100}and 1 more$/,
  );
});

test('an audit tells of orders that nobody works on, of money at risk and of unknown outcomes', async (t) => {
  const overlay = await openCatalogOverlay(t, [paidModel('paid')]);
  const engine = createScriptedEngine({ name: 'paid' });
  engine.onStart = ({ request }) => {
    if (request.values.prompt === 'lost') throw new EngineError('upstream', 'the line broke', { took: 'unknown' });
  };
  const { call, config, keys, make, service } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    service: { engines: [createSwiftEngine(), engine] },
  });
  const lost = await make(keys.live, '/v1/images', { model_id: 'paid', prompt: 'lost' });
  assert.equal(lost.error?.code, 'outcome_unknown');
  const { data: open } = await call(keys.live, 'POST', '/v1/images', { model_id: 'paid', prompt: 'a fox' });
  // What a test key simulates is nobody's money.
  await make(keys.test, '/v1/images', { model_id: 'paid', prompt: 'x', simulate: { outcome: 'outcome_unknown' } });
  await until(
    async () => (await call(keys.live, 'GET', open.urls.self)).data.status,
    (status) => status === 'processing',
  );
  const [entry] = (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items;
  const { called_at: calledAt, ordered_at: orderedAt, created_at: createdAt } = entry;
  assert.equal(entry.task_id, lost.task_id);
  assert.ok(orderedAt <= calledAt && calledAt <= createdAt, `${orderedAt}, ${calledAt}, ${createdAt}`);

  const running = await lookAt(config);
  assert.deepEqual(running.get('unknown outcomes'), {
    status: 'warning',
    found: 'paid: 1 live orders (0.04 USD) are of unknown outcome',
  });
  assert.deepEqual([running.get('stuck orders')?.status, running.get('money at risk')?.status], ['ok', 'ok']);
  await until(
    async () => (await call(keys.admin, 'GET', `/admin/v1/tasks/${open.task_id}`)).data,
    ({ step }) => step === 'running',
  );
  await service.stop({ announce: false });
  const later = await lookAt(config, { now: Date.now() + config.softDeadlineMs + 600_000 });
  assert.equal(later.get('stuck orders')?.status, 'failed');
  assert.equal(
    later.get('stuck orders')?.found,
    `1 orders wait for nobody:\ntask ${open.task_id} (running): nobody takes it up`,
  );
  assert.deepEqual(later.get('money at risk'), {
    status: 'warning',
    found: 'paid: 1 live orders (0.04 USD) are with an engine past the soft deadline',
  });
});

test('an audit finds what a key has spent counted otherwise than its orders add up', async (t) => {
  const { call, config, database, issueKey, make } = await startTestService(t, {
    service: { engines: [createSwiftEngine()] },
  });
  const { key, key_id: keyId } = await issueKey({
    mode: 'live',
    spendLimits: { day: 1e9, month: 1e9, total: 1e9 },
    concurrency: 1,
  });
  const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
  await make(key, '/v1/images', ORDER);
  const orders = [ORDER, ORDER].map((body) => ({ operation: 'images', body }));
  const { data: quote } = await call(key, 'POST', '/v1/batches/prices', { orders });
  const batch = await call(key, 'POST', '/v1/batches', { orders, max_price: quote.amount });
  assert.equal(batch.status, 201);
  const before = await lookAt(config);
  assert.deepEqual(before.get('spend limits'), { status: 'ok', found: '3 spend windows of keys, all as promised' });
  await until(
    async () => (await call(key, 'GET', `/v1/batches/${batch.data.batch_id}`)).data.status,
    (status) => status === 'succeeded',
  );
  assert.equal((await lookAt(config)).get('spend limits')?.status, 'ok');

  const day = `day:${new Date().toISOString().slice(0, 10)}`;
  await database.write('test', (trx) =>
    trx.run(trx.builder.updateTable('spending').set({ day_used: 1 }).where('subject', '=', keyId)),
  );
  const { status, found = '' } = (await lookAt(config)).get('spend limits') ?? {};
  assert.equal(status, 'failed');
  assert.match(
    found,
    new RegExp(`^1 of 3 .*\\nkey ${keyId}, ${day}: 0\\.000001 USD are counted, its orders add up to`),
  );
});
