import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * The same Idempotency-Key with the same request makes one task and one charge, whatever happens in between (contract
 * §6).
 */

const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'changing' })]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', metadata: { a: '1', b: '2' } };
let made = 0;
const freshName = () => `order-${++made}`;
const send = <Path extends string = '/v1/images'>(
  name: string,
  body: unknown = ORDER,
  path = '/v1/images' as Path,
  key = keys.test,
  more = {},
) => call(key, 'POST', path, body, { 'idempotency-key': name, ...more });
const balance = async (key = keys.test) => (await call(key, 'GET', '/v1/account')).data.balance;
const count = async (key: string) => (await call(key, 'GET', '/v1/images?limit=100')).data.items.length;

test('a repetition answers 201 with the same task as it now stands, marked as replayed, and makes neither task nor charge', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const name = freshName();
  const first = await send(name, ORDER, '/v1/images', key, { prefer: 'wait=60' });
  const after = await balance(key);
  const second = await send(name, ORDER, '/v1/images', key);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
    [null, 'true'],
  );
  assert.equal(second.data.task_id, first.data.task_id);
  assert.equal(second.data.status, 'succeeded');
  assert.equal(second.headers.get('location'), first.headers.get('location'));
  assert.deepEqual([await balance(key), await count(key)], [after, 1]);
});

test('bodies are compared as canonical JSON: order and spelling of the same values do not matter', async () => {
  const name = freshName();
  const first = await send(name);
  for (const body of [
    { metadata: { b: '2', a: '1' }, resolution: '0.5K', prompt: 'a fox', model_id: 'sketch' },
    ` {"prompt":"a \\u0066ox","model_id":"sketch",\n"resolution":"0.5K","metadata":{"a":"1","b":"2"}} `,
  ])
    assert.equal((await send(name, body)).data?.task_id, first.data.task_id);
});

test('another body or another path with the same key is refused, and the first task stays', async () => {
  const name = freshName();
  const { data } = await send(name);
  for (const [path, body] of [
    ['/v1/images', { ...ORDER, prompt: 'a cat' }],
    ['/v1/images', { ...ORDER, seed: 1 }],
    ['/v1/videos', ORDER],
    ['/v1/images/actions', ORDER],
    ['/v1/images', { nonsense: true }],
  ] as const) {
    const { status, error } = await send(name, body, path);
    assert.deepEqual([status, error?.code], [422, 'idempotency_key_reused'], `${path} ${JSON.stringify(body)}`);
  }
  assert.equal((await send(name)).data.task_id, data.task_id);
});

test('a key belongs to the API key that sent it', async () => {
  const name = freshName();
  const { data } = await send(name);
  const other = (await service.issueKey({ mode: 'test' })).key;
  const theirs = await send(name, { ...ORDER, prompt: 'a cat' }, '/v1/images', other);
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.data.task_id, data.task_id);
});

test('a refused request binds nothing', async () => {
  const name = freshName();
  for (const body of [{ ...ORDER, brush: 'fine' }, { ...ORDER, max_price: '0.001' }, { model_id: 'nothing' }, '{'])
    assert.ok((await send(name, body)).status >= 400);
  const { status, headers } = await send(name);
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
});

test('a failed task keeps its key; a new try is a new key', async () => {
  const name = freshName();
  const body = { ...ORDER, simulate: { outcome: 'upstream_error' } };
  const first = await send(name, body, '/v1/images', keys.test, { prefer: 'wait=60' });
  assert.equal(first.data.status, 'failed');
  const again = await send(name, body);
  assert.deepEqual([again.status, again.data.task_id, again.data.status], [201, first.data.task_id, 'failed']);
  assert.notEqual((await send(freshName(), body)).data.task_id, first.data.task_id);
});

test('after the deletion of its task the key answers the tombstone, never a new task', async () => {
  const name = freshName();
  const { data } = await send(name, ORDER, '/v1/images', keys.test, { prefer: 'wait=60' });
  const { deleted_at } = (await call(keys.test, 'DELETE', data.urls.self)).data;
  const again = await send(name);
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
  assert.deepEqual(again.data, { task_id: data.task_id, status: 'succeeded', deleted_at });
  assert.equal((await send(name, { ...ORDER, seed: 1 })).error.code, 'idempotency_key_reused');
});

test('a retry finds its task after a price change, a retirement, and when the model is gone', async () => {
  const name = freshName();
  const body = { model_id: 'changing', prompt: 'a fox', max_price: '0.01' };
  const { data } = await send(name, body);
  assert.equal(data.cost.quoted, '0.01');
  const reload = async (models: object[]) => {
    await overlay.write(models);
    assert.equal((await call(keys.admin, 'POST', '/admin/v1/catalog/reload')).status, 200);
  };
  const dearer = { components: [{ per: 'image', amount: '0.5' } as const] };
  await reload([plainEntry({ model_id: 'changing', pricing: dearer })]);
  assert.equal((await call(keys.test, 'POST', '/v1/images', body)).error.code, 'price_exceeded');
  assert.deepEqual(
    [(await send(name, body)).data.task_id, (await send(name, body)).data.cost.quoted],
    [data.task_id, '0.01'],
  );
  await reload([plainEntry({ model_id: 'changing', status: 'retired', replaced_by: 'sketch' })]);
  assert.equal((await call(keys.test, 'POST', '/v1/images', body)).error.code, 'model_retired');
  assert.equal((await send(name, body)).data.task_id, data.task_id);
  await reload([]);
  assert.equal((await call(keys.test, 'POST', '/v1/images', body)).error.code, 'model_not_found');
  assert.equal((await send(name, body)).data.task_id, data.task_id);
});

test('a retry finds its task also where the limits of the key would refuse a new one', async () => {
  const { key } = await service.issueKey({ mode: 'test', concurrency: 1, queueLimit: 1, spendLimits: { day: 5_000 } });
  const name = freshName();
  const body = { ...ORDER, simulate: { outcome: 'stuck' } };
  const { data } = await send(name, body, '/v1/images', key);
  const refused = await send(freshName(), body, '/v1/images', key);
  assert.ok([402, 429].includes(refused.status));
  assert.equal((await send(name, body, '/v1/images', key)).data.task_id, data.task_id);
});

test('a hundred requests at once with one key make one task and one charge', async () => {
  const { key } = await service.issueKey({ mode: 'live' });
  const name = freshName();
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(name, ORDER, '/v1/images', key)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ data }) => data.task_id)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  const { items } = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data;
  assert.equal(items.filter((entry: { kind: string }) => entry.kind === 'hold').length, 1);
  assert.equal(await count(key), 1);
});

test('videos and follow-up actions honour it too, and a data URI is compared like any text', async () => {
  const film = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const name = freshName();
  const [one, two] = [await send(name, film, '/v1/videos'), await send(name, film, '/v1/videos')];
  assert.deepEqual([two.status, two.data.task_id], [201, one.data.task_id]);
  const parent = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const upscale = { parent_task_id: parent.task_id, action: 'upscale', index: 1 };
  const again = freshName();
  const [three, four] = [
    await send(again, upscale, '/v1/images/actions'),
    await send(again, upscale, '/v1/images/actions'),
  ];
  assert.deepEqual([three.status, four.data.task_id], [201, three.data.task_id]);
  await call(keys.test, 'DELETE', parent.urls.self);
  assert.equal((await send(again, upscale, '/v1/images/actions')).data.task_id, three.data.task_id);
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const picture = { ...ORDER, image_urls: [`data:image/png;base64,${bytes}`] };
  const third = freshName();
  const [five, six] = [await send(third, picture), await send(third, picture)];
  assert.deepEqual([six.data?.task_id, six.data?.input], [five.data?.task_id, five.data?.input], five.error?.message);
});

test('a key takes 1 to 255 printable characters; prices and reads ignore it', async () => {
  for (const name of ['x'.repeat(255), 'a b ~!"#', '0']) assert.equal((await send(name)).status, 201);
  for (const name of ['x'.repeat(256), '', 'é']) {
    const { status, error } = await send(name);
    assert.deepEqual([status, error?.code, error?.param], [400, 'invalid_request', 'Idempotency-Key'], name);
  }
  const name = freshName();
  for (const prompt of ['one', 'two'])
    assert.equal((await send(name, { model_id: 'sketch', prompt }, '/v1/prices')).status, 200);
  assert.equal((await call(keys.test, 'GET', '/v1/images', undefined, { 'idempotency-key': name })).status, 200);
});

test('crediting an account honours it: the money comes once', async () => {
  const accountId = await service.createAccount(0);
  const path = `/admin/v1/accounts/${accountId}/credit`;
  const name = freshName();
  const credit = (amount: string) => send(name, { amount }, path, keys.admin);
  const [first, second] = [await credit('25.00'), await credit('25.00')];
  assert.deepEqual([first.status, second.status, second.headers.get('idempotent-replayed')], [201, 201, 'true']);
  assert.equal((await call(keys.admin, 'GET', `/admin/v1/accounts/${accountId}`)).data.balance, '25.00');
  assert.equal((await credit('26.00')).error.code, 'idempotency_key_reused');
});
