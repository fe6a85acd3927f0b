import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMicros, parseMicros } from '@darkroom-service/contract';
import fc from 'fast-check';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { type Answer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const AMOUNT = /^-?\d+\.(\d\d|\d{2,5}[1-9])$/;
const priced = (amount: string) =>
  plainEntry({ model_id: 'priced', pricing: { components: [{ per: 'image', amount }] } });
const overlay = await openCatalogOverlay(wholeFile, [priced('0.123456')]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys, issueKey } = service;
/** Costs 0.005. */
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const told = ({ status, error }: Answer) => [status, error?.code];
const create = (key: string, body: object = order) => call(key, 'POST', '/v1/images', body, { prefer: 'wait=60' });
const micros = (amount: string): number => {
  const value = parseMicros(amount);
  assert.ok(value !== null, amount);
  return value;
};
const ledger = async (key: string) => (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items;
const movements = async (key: string) => (await ledger(key)).reverse().map(({ kind, amount }) => [kind, amount]);

/** A key of an account of its own, so that its ledger holds nothing else. */
async function ownKey(mode: 'live' | 'test' = 'live'): Promise<string> {
  return (await issueKey({ mode, accountId: await service.createAccount(null), accountView: true })).key;
}

test('a create holds its price; success releases the hold and charges it, in one step', async () => {
  const key = await ownKey('test');
  const waiting = await call(key, 'POST', '/v1/images', { ...order, simulate: { seconds: 600 } });
  assert.deepEqual(waiting.data.cost, {
    state: 'held',
    amount: '0.005',
    quoted: '0.005',
    currency: 'USD',
    basis: 'list',
    lines: waiting.data.cost.lines,
  });
  assert.deepEqual(await movements(key), [['hold', '-0.005']]);
  const { data: account } = await call(key, 'GET', '/v1/account');
  assert.deepEqual([account.balance, account.held], ['-0.005', '0.005']);
  const made = (await create(key)).data;
  assert.deepEqual(
    [made.status, made.cost.state, made.cost.amount, made.cost.quoted],
    ['succeeded', 'charged', '0.005', '0.005'],
  );
  assert.deepEqual(await movements(key), [
    ['hold', '-0.005'],
    ['hold', '-0.005'],
    ['release', '0.005'],
    ['charge', '-0.005'],
  ]);
  const [charge, release] = await ledger(key);
  assert.deepEqual([charge.task_id, release.task_id], [made.task_id, made.task_id]);
  // The embedded database tells each statement the time.
  assert.ok(Date.parse(charge.created_at) - Date.parse(release.created_at) < 1_000);
});

for (const outcome of ['content_policy', 'upstream_error', 'timeout', 'outcome_unknown', 'late'] as const) {
  test(`a task that ends by ${outcome} is released in full and charged nothing`, async () => {
    const key = await ownKey('test');
    const { data } = await create(key, { ...order, simulate: { outcome } });
    assert.equal(data.status, 'failed');
    assert.equal(data.error.charged, false);
    assert.deepEqual([data.cost.state, data.cost.amount, data.cost.quoted], ['released', '0.00', '0.005']);
    assert.deepEqual(await movements(key), [
      ['hold', '-0.005'],
      ['release', '0.005'],
    ]);
    assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '0.00');
  });
}

test('a canceled task is released', async () => {
  const { key } = await issueKey({ mode: 'test', concurrency: 1, accountId: await service.createAccount(null) });
  const slow = { ...order, simulate: { seconds: 600 } };
  await call(key, 'POST', '/v1/images', slow);
  const { task_id: taskId } = (await call(key, 'POST', '/v1/images', slow)).data;
  const canceled = await call(key, 'POST', `/v1/images/${taskId}/cancel`);
  assert.deepEqual(
    [canceled.data.status, canceled.data.cost.state, canceled.data.cost.amount],
    ['canceled', 'released', '0.00'],
  );
  assert.deepEqual(await movements(key), [
    ['hold', '-0.005'],
    ['hold', '-0.005'],
    ['release', '0.005'],
  ]);
});

test('every amount has two to six decimals and no trailing zeros beyond two', async () => {
  const key = await ownKey('test');
  assert.equal((await create(key, { model_id: 'priced', prompt: 'a fox' })).data.cost.amount, '0.123456');
  const quotes: [body: object, amount: string][] = [
    [{ model_id: 'sketch', resolution: '0.5K' }, '0.005'],
    [{ model_id: 'sketch' }, '0.01'],
    [{ model_id: 'nano-banana-2.1' }, '0.0336'],
    [{ model_id: 'veo-3.1', resolution: '4k', duration: 8 }, '4.80'],
    [{ model_id: 'seedance-2.0-fast', resolution: '480p', duration: 5 }, '0.281232'],
    [{ model_id: 'ltx-2.5-fast', resolution: '2160p', duration: 10 }, '3.00'],
  ];
  for (const [body, amount] of quotes) {
    const { data } = await call(key, 'POST', '/v1/prices', body);
    assert.equal(data.amount, amount, JSON.stringify(body));
    assert.equal(data.currency, 'USD');
  }
  const text = JSON.stringify([await ledger(key), (await call(key, 'GET', '/v1/account')).data]);
  const amounts = [...text.matchAll(/"(?:amount|balance|held|quoted|spent)":"([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  );
  assert.ok(amounts.length >= 5);
  for (const amount of amounts) assert.match(amount, AMOUNT);
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      assert.match(formatMicros(amount), AMOUNT);
      if (Math.abs(amount) < 1e15) assert.equal(parseMicros(formatMicros(amount)), amount === 0 ? 0 : amount);
    }),
  );
});

test('whatever happens to orders, the balance is the sum of the entries, and no entry ever changes', async () => {
  const key = await ownKey('test');
  const seen = new Map<string, string>();
  const outcomes = ['succeeded', 'content_policy', 'late', 'succeeded', 'upstream_error'];
  for (const [round, outcome] of outcomes.entries()) {
    await Promise.all([
      create(key, { ...order, simulate: { outcome } }),
      create(key, { model_id: 'priced', prompt: 'a fox', simulate: { outcome: outcomes[(round + 2) % 5] } }),
      call(key, 'POST', '/v1/images', { ...order, resolution: '4K', simulate: { seconds: 600 } }),
    ]);
    const entries = await ledger(key);
    const sum = entries.reduce((total, entry) => total + micros(entry.amount), 0);
    const { balance } = (await call(key, 'GET', '/v1/account')).data;
    assert.equal(micros(balance), sum);
    for (const entry of entries) {
      const known = seen.get(entry.entry_id);
      if (known !== undefined) assert.equal(JSON.stringify(entry), known);
      seen.set(entry.entry_id, JSON.stringify(entry));
    }
    assert.equal(entries.length, seen.size);
  }
});

test('what tasks say they cost is what the ledger and the usage say', async () => {
  const key = await ownKey('test');
  for (const outcome of ['succeeded', 'timeout', 'succeeded']) await create(key, { ...order, simulate: { outcome } });
  await call(key, 'POST', '/v1/images', { ...order, simulate: { seconds: 600 } });
  const tasks = (await call(key, 'GET', '/v1/images')).data.items;
  const paid = tasks.reduce((total: number, task: TaskAnswer) => total + micros(task.cost.amount), 0);
  assert.equal(micros((await call(key, 'GET', '/v1/account')).data.balance), -paid);
  const [usage] = (await call(key, 'GET', '/v1/account/usage')).data.items;
  assert.deepEqual([usage.tasks, usage.charged, usage.held], [4, '0.01', '0.005']);
});

test('a price is frozen on its task: a new price in the catalog touches no order that was taken', async () => {
  const key = await ownKey('test');
  const body = { model_id: 'priced', prompt: 'a fox' };
  const before = (await call(key, 'POST', '/v1/images', { ...body, simulate: { seconds: 0.6 } })).data;
  await overlay.write([priced('0.5')]);
  assert.equal((await call(keys.admin, 'POST', '/admin/v1/catalog/reload')).status, 200);
  assert.equal((await call(key, 'POST', '/v1/prices', body)).data.amount, '0.50');
  const after = (await call(key, 'GET', before.urls.self, undefined, { prefer: 'wait=60' })).data;
  assert.deepEqual([after.status, after.cost.amount, after.cost.quoted], ['succeeded', '0.123456', '0.123456']);
  assert.deepEqual(after.cost.lines, before.cost.lines);
  assert.equal((await create(key, body)).data.cost.amount, '0.50');
});

test('max_price refuses an order that costs more without a charge, and accepts one that costs as much or less', async () => {
  const key = await ownKey();
  for (const limit of ['0.005', 0.005, '0.0050', '1', 1, 0.005001, '999999999'])
    assert.equal((await create(key, { ...order, max_price: limit })).status, 201, `${limit}`);
  const before = (await ledger(key)).length;
  for (const limit of ['0.004999', 0.004999, '0', 0, '0.00']) {
    const refused = await create(key, { ...order, max_price: limit });
    assert.deepEqual(told(refused), [409, 'price_exceeded'], `${limit}`);
    assert.equal(refused.error.details[0].price, '0.005');
  }
  for (const limit of ['much', '-1', -1, '1e3', '0.0000001', '', [], {}, true, '1,5', ' 1'])
    assert.deepEqual(told(await create(key, { ...order, max_price: limit })), [400, 'invalid_request'], `${limit}`);
  assert.equal((await ledger(key)).length, before);
});

test('live orders move the live balance through the same entries', async () => {
  const key = await ownKey('live');
  const { data } = await create(key);
  assert.deepEqual([data.mode, data.cost.state], ['live', 'charged']);
  assert.deepEqual(await movements(key), [
    ['hold', '-0.005'],
    ['release', '0.005'],
    ['charge', '-0.005'],
  ]);
});

test('deleting a task leaves its money in the ledger and in the usage', async () => {
  const key = await ownKey();
  const { task_id: taskId } = (await create(key)).data;
  const before = await movements(key);
  assert.equal((await call(key, 'DELETE', `/v1/images/${taskId}`)).status, 200);
  assert.deepEqual(await movements(key), before);
  assert.equal((await call(key, 'GET', '/v1/account/usage')).data.items[0].charged, '0.005');
});
