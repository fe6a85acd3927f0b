import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommitHook } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { PORTION } from '../../src/additions/batches/portions.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const app = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1' },
  service: { engines: [createStoppableEngine()] },
});
/** A key whose account has no other. */
const newKey = async (wish: { readonly concurrency?: number } = {}) =>
  (await app.issueKey({ mode: 'test', accountId: await app.createAccount(null), ...wish })).key;

/** Fails at once, so that no picture has to be painted. */
const failing = (seed: number) => ({
  model_id: 'sketch',
  prompt: 'a fox',
  seed,
  simulate: { outcome: 'content_policy' },
});
const lasting = (seed: number) => ({ model_id: 'sketch', prompt: 'a fox', seed, simulate: { seconds: 600 } });
const many = (count: number, body: (seed: number) => object) =>
  Array.from({ length: count }, (_, seed) => ({ name: `fox-${seed}`, operation: 'images', body: body(seed) }));

const ended = (key: string, batchId: string) =>
  until(
    async () => (await app.call(key, 'GET', `/v1/batches/${batchId}`)).data,
    ({ status }) => status !== 'processing',
  );

test('a batch is one request at the quoted price, and its tasks are ordinary ones', async () => {
  const key = await newKey();
  const small = (seed: number) => ({ model_id: 'sketch', prompt: 'a fox', seed, size: '256x256' });
  const sent = { orders: [...many(3, small), ...many(220, failing).map(({ name: _, ...order }) => order)] };
  const quote = await app.call(key, 'POST', '/v1/batches/prices', sent);
  assert.equal(quote.status, 200, JSON.stringify(quote.body));
  const created = await app.call(key, 'POST', '/v1/batches', {
    ...sent,
    max_price: quote.data.amount,
    metadata: { for: 'us' },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { batch_id: id } = created.data;
  assert.match(id, /^bat_[0-9a-z]{26}$/);
  assert.equal(created.headers.get('location'), created.data.urls.self);
  assert.deepEqual(created.data.cost, {
    quoted: quote.data.amount,
    charged: '0.00',
    held: quote.data.amount,
    currency: 'USD',
  });
  const batch = await ended(key, id);
  assert.equal(batch.status, 'partial');
  assert.deepEqual(batch.counts, { queued: 0, processing: 0, succeeded: 3, failed: 220, canceled: 0 });
  assert.deepEqual([batch.cost.charged, batch.cost.held, batch.metadata], ['0.015', '0.00', { for: 'us' }]);
  const listed = await app.call(key, 'GET', `/v1/images?batch_id=${id}&status=succeeded`);
  assert.deepEqual(
    listed.data.items.map((task: { batch_id: string; batch_name: string }) => [task.batch_id, task.batch_name]),
    [2, 1, 0].map((seed) => [id, `fox-${seed}`]),
  );
  const { data: ledger } = await app.call(key, 'GET', '/v1/account/ledger?limit=100');
  const holds = ledger.items.filter((entry: { kind: string }) => entry.kind === 'hold');
  const all: unknown[] = [];
  for (let after = ''; ; ) {
    const page = (await app.call(key, 'GET', `/v1/account/ledger?limit=100${after}`)).data;
    all.push(...page.items.filter((entry: { kind: string }) => entry.kind === 'hold'));
    if (!page.has_more) break;
    after = `&after=${page.items.at(-1)?.entry_id}`;
  }
  assert.ok(holds.length <= 1);
  assert.equal(all.length, 1, 'one hold');
  assert.deepEqual([(all[0] as { batch_id: string }).batch_id, (all[0] as { task_id: null }).task_id], [id, null]);
});

test('tasks of a batch are listed in pages, results are lines, and the list of batches has it', async () => {
  const key = await newKey();
  const { data } = await app.call(key, 'POST', '/v1/batches', { orders: many(120, failing) });
  await ended(key, data.batch_id);
  const names: string[] = [];
  for (let after = ''; ; ) {
    const page = (await app.call(key, 'GET', `/v1/batches/${data.batch_id}/tasks?limit=50${after}`)).data;
    names.push(...page.items.map((task: { batch_name: string }) => task.batch_name));
    if (!page.has_more) break;
    after = `&after=${page.items.at(-1)?.task_id}`;
  }
  assert.deepEqual(
    names,
    Array.from({ length: 120 }, (_, seed) => `fox-${seed}`),
  );
  const results = await fetch(`${app.url}/v1/batches/${data.batch_id}/results`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const lines = (await results.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(results.headers.get('content-type'), 'application/jsonl; charset=utf-8');
  assert.deepEqual([lines.length, lines[0].error.code], [120, 'content_policy']);
  const events = await app.call(key, 'GET', `/v1/batches/${data.batch_id}/events`);
  assert.match(String(events.body), /^: open\n\nid: 1\nevent: batch\ndata: \{"batch_id"/);
  const list = await app.call(key, 'GET', '/v1/batches?status=failed');
  assert.deepEqual(
    [list.data.items.length, list.data.items[0].batch_id, list.data.has_more],
    [1, data.batch_id, false],
  );
  assert.equal((await app.call(app.keys.live, 'GET', `/v1/batches/${data.batch_id}`)).error.code, 'not_found');
});

test('the first results of a large batch are there before its last task is', async (t) => {
  const commits: string[] = [];
  const commitHook: CommitHook = (phase, names) => {
    if (phase === 'after') commits.push(...names);
  };
  const own = await startTestService(t, { service: { commitHook } });
  const { data } = await own.call(own.keys.test, 'POST', '/v1/batches', { orders: many(1_000, failing) });
  await until(
    async () => commits.filter((name) => name === 'place_portion').length,
    (portions) => portions * PORTION >= 1_000,
  );
  const firstResult = commits.findIndex((name) => name.startsWith('settle'));
  assert.ok(firstResult >= 0 && firstResult < commits.lastIndexOf('place_portion'), commits.join(' '));
  assert.equal((await own.call(own.keys.test, 'POST', data.urls.cancel)).status, 200);
});

test('JSON lines with fields in the query, and orders that vary', async () => {
  const key = await newKey();
  const lines = [
    { name: 'hero', operation: 'images', body: failing(1) },
    {
      name: 'tile',
      operation: 'images',
      body: { model_id: 'sketch', simulate: { outcome: 'timeout' } },
      vary: { prompt: ['a', 'b'], seed: [1, 2, 3] },
    },
  ];
  const query = `max_price=20&max_parallel=2&metadata=${encodeURIComponent('{"a":"b"}')}`;
  // Empty lines are no orders, however many there are, nor is a byte order mark.
  const text = `\ufeff${'\n'.repeat(12_000)}${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n`;
  const { status, data, body } = await app.call(key, 'POST', `/v1/batches?${query}`, text, {
    'content-type': 'application/jsonl',
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([data.orders, data.max_parallel, data.metadata], [7, 2, { a: 'b' }]);
  await ended(key, data.batch_id);
  const { data: page } = await app.call(key, 'GET', `/v1/batches/${data.batch_id}/tasks`);
  const seen = page.items.map((task) => [task.batch_name, task.input.prompt, task.input.seed]);
  assert.deepEqual(seen.slice(0, 3), [
    ['hero', 'a fox', 1],
    ['tile-1', 'a', 1],
    ['tile-2', 'a', 2],
  ]);
  assert.deepEqual(seen.at(-1), ['tile-6', 'b', 3]);
});

test('a short body makes no more orders by vary than 16 MB have, and no more than 64 MB a minute', async () => {
  const key = await newKey();
  const vary = (prompt: string, seeds: number) => ({
    orders: [
      {
        operation: 'images',
        body: { model_id: 'sketch', prompt, simulate: { outcome: 'timeout' } },
        vary: { seed: Array.from({ length: seeds }, (_, seed) => seed) },
      },
    ],
  });
  const price = (body: object) => app.call(key, 'POST', '/v1/batches/prices', body);
  const { status, error } = await price(vary('a'.repeat(10_000), 1_700));
  assert.deepEqual([status, error.param], [400, 'orders[0].vary']);
  assert.match(error.message, /at most 16777216 bytes of orders, found 1700 orders of 100\d\d bytes/);
  let refused: Awaited<ReturnType<typeof price>>;
  let taken = -1;
  // Each has 16 MB. A slow machine gives some of the minute back meanwhile.
  do {
    refused = await price(vary('a'.repeat(10_000), 1_600));
    taken++;
  } while (refused.status === 200 && taken < 20);
  assert.ok(taken >= 4, `${taken} were taken`);
  assert.deepEqual([refused.status, refused.error.code], [429, 'rate_limited']);
  assert.match(refused.error.message, /bytes of orders that 'vary' makes/);
});

test('every fault is told with its place, and nothing is taken', async () => {
  const key = await newKey();
  const orders = [
    { name: 'a', operation: 'images', body: failing(1) },
    { name: 'a', operation: 'images', body: failing(2) },
    { operation: 'film', body: {}, more: 1 },
    { operation: 'images', body: { model_id: 'sketch', prompt: 7, camera: 1 } },
    { operation: 'images', body: { model_id: 'sketch', prompt: 'a', image_urls: ['data:image/png;base64,AAAA'] } },
    { operation: 'videos', body: { model_id: 'sketch', prompt: 'a' } },
    7,
  ];
  const { status, error } = await app.call(key, 'POST', '/v1/batches', { orders });
  assert.equal(status, 400);
  const params = error.details.map((fault: { param: string }) => fault.param);
  assert.deepEqual(params, [
    'orders[1].name',
    'orders[2].more',
    'orders[2].operation',
    ...params.slice(3, -3),
    'orders[4].body.image_urls[0]',
    'orders[5].body.model_id',
    'orders[6]',
  ]);
  assert.ok(params.slice(3, -3).every((param: string) => param.startsWith('orders[3].body.')));
  const text = `${JSON.stringify(orders[0])}\n{"operation":\n`;
  const lines = await app.call(key, 'POST', '/v1/batches', text, { 'content-type': 'application/jsonl' });
  assert.deepEqual([lines.error.code, lines.error.param], ['invalid_json', 'line 2']);
  assert.match(lines.error.message, /^line 2: /);
  for (const [body, code] of [
    ['{"orders":[', 'invalid_json'],
    ['{"orders":[,]}', 'invalid_json'],
    ['{"orders":[]}', 'invalid_request'],
    ['{"orders":{}}', 'invalid_request'],
    ['[]', 'invalid_request'],
    ['', 'invalid_json'],
    ['{"orders":[],"orders":[]}', 'invalid_request'],
  ] as const)
    assert.equal((await app.call(key, 'POST', '/v1/batches', body)).error.details[0]?.code ?? code, code, body);
  const huge = { orders: [{ operation: 'images', body: { model_id: 'sketch', prompt: 'x'.repeat(300_000) } }] };
  assert.equal((await app.call(key, 'POST', '/v1/batches', huge)).error.code, 'body_too_large');
  const dear = await app.call(key, 'POST', '/v1/batches', { orders: many(2, failing), max_price: '0.01' });
  assert.equal(dear.error.code, 'price_exceeded');
  assert.match(dear.error.message, /^This costs 0\.0\d+ USD, more than max_price \(0\.01\)\./);
  const list = await app.call(key, 'GET', '/v1/batches');
  assert.deepEqual(list.data.items, []);
  assert.equal((await app.call(key, 'GET', '/v1/account')).data.held, '0.00');
});

test('an Idempotency-Key stands for one batch, also in other spacing, and for no other', async () => {
  const key = await newKey();
  const headers = { 'idempotency-key': 'once' };
  const sent = { orders: many(5, failing), max_price: '1' };
  const [first, second] = await Promise.all([
    app.call(key, 'POST', '/v1/batches', sent, headers),
    app.call(key, 'POST', '/v1/batches', JSON.stringify(sent, null, 2), headers),
  ]);
  assert.equal(first.data.batch_id, second.data.batch_id);
  assert.equal([first, second].filter((answer) => answer.headers.get('idempotent-replayed') === 'true').length, 1);
  const other = await app.call(key, 'POST', '/v1/batches', { ...sent, max_price: '2' }, headers);
  assert.equal(other.error.code, 'idempotency_key_reused');
});

test('canceling a batch ends what has not started, keeps what has, and sends one webhook at the end', async (t) => {
  const receiver = await startReceiver(t);
  const key = await newKey();
  const sent = { orders: many(150, lasting), max_parallel: 4, webhook_url: receiver.url };
  const { data, body } = await app.call(key, 'POST', '/v1/batches', sent);
  assert.ok(data, JSON.stringify(body));
  const at = `/v1/batches/${data.batch_id}` as const;
  const running = await until(
    async () => (await app.call(key, 'GET', at)).data.counts.processing,
    (count) => count === 4,
  );
  assert.equal(running, 4);
  assert.equal((await app.call(key, 'POST', `${at}/cancel`)).status, 200);
  const { counts } = await until(
    async () => (await app.call(key, 'GET', at)).data,
    (batch) => batch.counts.queued === 0,
  );
  assert.deepEqual([counts.processing, counts.canceled], [4, 146]);
  const { data: open } = await app.call(key, 'GET', `${at}/tasks?status=processing`);
  for (const task of open.items) await app.call(key, 'POST', task.urls.cancel);
  const batch = await ended(key, data.batch_id);
  assert.deepEqual([batch.status, batch.counts.canceled, batch.cost.held], ['canceled', 150, '0.00']);
  await receiver.count(1);
  const [event] = receiver.received;
  assert.equal(JSON.parse(String(event?.body)).type, 'batch.canceled');
  assert.equal(JSON.parse(String(event?.body)).data.batch_id, data.batch_id);
});

test('the sum of a batch must fit the spend limit and the limit of batches in progress', async () => {
  const limited = (await app.issueKey({ mode: 'test', spendLimits: { day: 50_000, month: null, total: null } })).key;
  const refused = await app.call(limited, 'POST', '/v1/batches', { orders: many(6, failing) });
  assert.equal(refused.error.code, 'spend_limit_reached');
  assert.equal((await app.call(limited, 'POST', '/v1/batches', { orders: many(5, failing) })).status, 201);
  const key = await newKey();
  for (let count = 0; count < 20; count++)
    assert.equal((await app.call(key, 'POST', '/v1/batches', { orders: many(1, lasting) })).status, 201);
  assert.equal((await app.call(key, 'POST', '/v1/batches', { orders: many(1, lasting) })).error.code, 'queue_full');
});

test('the limits of end users hold for a batch as for its orders one by one, before and while its tasks appear', async () => {
  // One order runs, however fast the worker is: the others are still to be canceled at the end.
  const key = await newKey({ concurrency: 1 });
  const put = await app.call(key, 'PUT', '/v1/end_users/ada', { limits: { day: '0.60' } });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const orders = (count: number, endUser: string) =>
    many(count, (seed) => ({ ...lasting(seed), size: '256x256', end_user: endUser }));
  const price = Number((await app.call(key, 'POST', '/v1/prices', orders(1, 'ada')[0]?.body ?? {})).data.amount);
  const most = Math.floor(0.6 / price);
  const refused = await app.call(key, 'POST', '/v1/batches', { orders: orders(most + 1, 'ada') });
  assert.deepEqual([refused.status, refused.error.code], [402, 'end_user_limit_reached']);
  const placed = await app.call(key, 'POST', '/v1/batches', { orders: orders(most, 'ada') });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const held = async () => Number((await app.call(key, 'GET', '/v1/end_users/ada')).data.windows.day.held);
  const whole = (most * price).toFixed(6);
  const tasks = async () => (await app.call(key, 'GET', `/v1/batches/${placed.data.batch_id}`)).data.counts;
  // At first nearly all of it is promised, at last all of it stands in tasks.
  for (let seen = 0; seen < most; ) {
    assert.equal((await held()).toFixed(6), whole);
    const listed = await app.call(key, 'GET', `/v1/batches/${placed.data.batch_id}/tasks?limit=100`);
    seen = listed.data.items.length < 100 ? listed.data.items.length : most;
  }
  assert.equal((await held()).toFixed(6), whole);
  const another = await app.call(key, 'POST', '/v1/images', orders(1, 'ada')[0]?.body ?? {});
  assert.equal(another.error?.code, 'end_user_limit_reached');
  assert.equal((await app.call(key, 'POST', '/v1/batches', { orders: orders(2, 'bob') })).status, 201);
  await app.call(key, 'POST', `/v1/batches/${placed.data.batch_id}/cancel`);
  await until(tasks, ({ canceled }) => canceled > 0);
});
