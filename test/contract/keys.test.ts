import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createIdFactory } from '@darkroom-service/contract';
import { revokeKey, rotateKey } from '../../src/accounts/api-keys.ts';
import { startAwakeTime } from '../helpers/awake-time.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys, database } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const act = () => ({ actor: 'test', now: Date.now(), createId: createIdFactory(Date.now) });
const told = ({ status, error }: Answer) => [status, error?.code];
const admin = <Method extends string, Path extends string>(method: Method, path: Path, body?: unknown) =>
  call(keys.admin, method, `/admin/v1${path}`, body);
const newKey = async (body: object = {}) => (await admin('POST', '/keys', { mode: 'test', ...body })).data;

/** Milliseconds until a key is refused, as a caller sees it who asks ten times a second. */
async function untilRefused(key: string): Promise<number> {
  const awakeMs = startAwakeTime();
  while ((await call(key, 'GET', '/v1/account')).status === 200 && awakeMs() < 6_000) await pause(100);
  return awakeMs();
}

test('a key names its mode, carries 160 random bits and more in base 62, and a checksum', async () => {
  const seen = new Set<string>();
  for (const mode of ['live', 'test', 'admin']) {
    const { key } = await newKey({ mode });
    assert.match(key, new RegExp(`^dk_${mode}_[0-9A-Za-z]{33,}$`));
    assert.ok((key.length - `dk_${mode}_`.length - 6) * Math.log2(62) >= 160);
    assert.equal(seen.has(key), false);
    seen.add(key);
    for (let place = key.length - 8; place < key.length; place++) {
      const mistyped = `${key.slice(0, place)}${key[place] === 'x' ? 'y' : 'x'}${key.slice(place + 1)}`;
      assert.match((await call(mistyped, 'GET', '/v1/account')).error.message, /checksum/);
    }
  }
});

test('a secret is shown once; only its SHA-256 is kept', async () => {
  const { key, key_id: keyId } = await newKey();
  const listed = await admin('GET', '/keys');
  assert.ok(listed.data.items.some((entry) => entry.key_id === keyId));
  assert.doesNotMatch(JSON.stringify(listed.data), new RegExp(key));
  assert.doesNotMatch(JSON.stringify((await admin('GET', '/audit')).data), new RegExp(key));
  const rows = await database.read.all(
    database.read.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId),
  );
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(key));
  assert.equal(rows[0]?.hash, createHash('sha256').update(key).digest('hex'));
});

test('the header reads Bearer and the key, in any case and with any spaces; everything else is no key', async () => {
  const ask = (authorization: string) => call(null, 'GET', '/v1/account', undefined, { authorization });
  for (const form of [`Bearer ${keys.test}`, `bearer ${keys.test}`, `BEARER   ${keys.test}`])
    assert.equal((await ask(form)).status, 200, form);
  for (const form of [
    keys.test,
    `Basic ${keys.test}`,
    'Bearer',
    `Bearer ${keys.test} ${keys.test}`,
    `Token ${keys.test}`,
  ]) {
    const answer = await ask(form);
    assert.equal(answer.status, 401, form);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  }
  for (const wrong of ['dk_test_', 'x'.repeat(5_000), keys.test.replace('dk_test_', 'dk_live_'), '\u00e9'])
    assert.deepEqual(told(await ask(`Bearer ${wrong}`)), [401, 'invalid_api_key'], wrong.slice(0, 40));
});

test('the catalog ignores Authorization, even a stale or malformed one', async () => {
  const plain = (await call(null, 'GET', '/v1/catalog')).data;
  for (const authorization of ['Bearer stale', 'nonsense', `Bearer ${keys.admin}`, `Bearer ${keys.live}`]) {
    const answer = await call(null, 'GET', '/v1/catalog', undefined, { authorization });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.data, plain);
  }
});

test('an admin key is refused under /v1 with a sentence, and no other key is let in under /admin/v1', async () => {
  for (const [method, path] of [
    ['GET', '/v1/models'],
    ['POST', '/v1/prices'],
    ['POST', '/v1/images'],
    ['GET', '/v1/account'],
  ] as const) {
    const { status, error } = await call(keys.admin, method, path, method === 'POST' ? order : undefined);
    assert.deepEqual([status, error.code], [403, 'forbidden']);
    assert.match(error.message, /admin key.*live or test key/s);
  }
  for (const key of [keys.test, keys.live])
    assert.deepEqual(told(await call(key, 'GET', '/admin/v1/keys')), [403, 'forbidden']);
});

test('tasks belong to a key: no other key of the account sees them, their costs or their ids', async () => {
  const mine = await newKey();
  const other = await newKey();
  const task = await service.make(mine.key, '/v1/images', { ...order, model_id: 'sketch-grid', resolution: '1K' });
  assert.equal(task.status, 'succeeded');
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/content'],
    ['POST', '/cancel', {}],
    ['DELETE', ''],
  ] as const)
    assert.deepEqual(told(await call(other.key, method, `/v1/images/${task.task_id}${path}`, body)), [
      404,
      'task_not_found',
    ]);
  const follow = { parent_task_id: task.task_id, action: 'upscale', index: 1 };
  assert.deepEqual(told(await call(other.key, 'POST', '/v1/images/actions', follow)), [404, 'task_not_found']);
  for (const image of [`task:${task.task_id}`, task.outputs[0].content_url]) {
    const refused = await call(other.key, 'POST', '/v1/images', { ...order, image_urls: [image] });
    assert.deepEqual(told(refused), [400, 'invalid_reference'], image);
  }
  assert.deepEqual((await call(other.key, 'GET', '/v1/images')).data.items, []);
  assert.deepEqual((await call(other.key, 'GET', '/v1/account/ledger')).data.items, []);
  assert.equal((await call(other.key, 'GET', '/v1/account/usage')).data.items[0].tasks, 0);
  assert.equal((await call(mine.key, 'GET', '/v1/images')).data.items.length, 1);
});

test('an Idempotency-Key belongs to its API key', async () => {
  const [one, two] = [await newKey(), await newKey()];
  const once = { 'idempotency-key': 'shared' };
  const first = await call(one.key, 'POST', '/v1/images', order, once);
  const second = await call(two.key, 'POST', '/v1/images', { ...order, prompt: 'an owl' }, once);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.notEqual(first.data.task_id, second.data.task_id);
});

test('revoking says how many tasks become unreachable, and the key stops at once where it was revoked', async () => {
  const { key, key_id: keyId } = await newKey();
  for (let count = 0; count < 3; count++) await call(key, 'POST', '/v1/images', order);
  const revoked = await admin('POST', `/keys/${keyId}/revoke`);
  assert.equal(revoked.data.unreachable_tasks, 3);
  assert.match(revoked.data.revoked_at, /Z$/);
  assert.deepEqual(told(await call(key, 'GET', '/v1/images')), [401, 'revoked_api_key']);
  assert.deepEqual(told(await admin('POST', `/keys/${keyId}/rotate`, {})), [400, 'invalid_request']);
  assert.equal((await admin('POST', `/keys/${keyId}/revoke`)).data.revoked_at, revoked.data.revoked_at);
});

test('a key that another process revoked or rotated stops working within five seconds', async () => {
  const [revoked, rotated] = [await newKey(), await newKey()];
  for (const { key } of [revoked, rotated]) assert.equal((await call(key, 'GET', '/v1/account')).status, 200);
  await revokeKey(database, act(), revoked.key_id);
  const fresh = await rotateKey(database, act(), rotated.key_id, { graceMs: 0 });
  assert.equal((await call(fresh.key, 'GET', '/v1/account')).status, 200);
  for (const wait of await Promise.all([untilRefused(revoked.key), untilRefused(rotated.key)]))
    assert.ok(wait < 5_000, `${wait} ms`);
  assert.deepEqual(told(await call(rotated.key, 'GET', '/v1/account')), [401, 'revoked_api_key']);
});

test('a stream of events ends within five seconds once its key is revoked, or the secret it was opened with has run out', async () => {
  const open = async (rotates: boolean) => {
    const { key, key_id } = await service.issueKey({ mode: 'test' });
    const stuck = { ...order, simulate: { outcome: 'stuck' } };
    const { data } = await call(key, 'POST', '/v1/images', stuck);
    const headers = { authorization: `Bearer ${key}` };
    const streams = [
      await fetch(`${service.url}/v1/images/${data.task_id}/events`, { headers }),
      ...(rotates ? [] : [await fetch(data.urls.events)]),
    ];
    return { key_id, streams };
  };
  const [revoked, rotated] = [await open(false), await open(true)];
  const awakeMs = startAwakeTime();
  await revokeKey(database, act(), revoked.key_id);
  await rotateKey(database, act(), rotated.key_id, { graceMs: 0 });
  for (const stream of [...revoked.streams, ...rotated.streams]) {
    assert.equal(stream.status, 200);
    assert.match(await stream.text(), /event: task/);
  }
  assert.ok(awakeMs() < 5_000, `${awakeMs()} ms`);
});

test('a rotated key keeps its tasks, its limits and its id; with no grace the old secret ends at once', async () => {
  const { key, key_id: keyId } = await newKey({ name: 'shop', rpm: 7 });
  const { task_id: taskId } = (await call(key, 'POST', '/v1/images', order)).data;
  const rotated = (await admin('POST', `/keys/${keyId}/rotate`, { grace_seconds: 0 })).data;
  assert.notEqual(rotated.key, key);
  assert.deepEqual([rotated.key_id, rotated.name, rotated.rpm], [keyId, 'shop', 7]);
  assert.equal((await call(rotated.key, 'GET', `/v1/images/${taskId}`)).data.task_id, taskId);
  assert.deepEqual(told(await call(key, 'GET', `/v1/images/${taskId}`)), [401, 'revoked_api_key']);
});

test('the old secret works for the grace time, the one before it no longer, and a day is the default', async (t) => {
  const clock = new ManualClock();
  const other = await startTestService(t, { service: { clock } });
  const { key, key_id: keyId } = await other.issueKey({ mode: 'test' });
  const rotate = async (body: object) =>
    (await other.call(other.keys.admin, 'POST', `/admin/v1/keys/${keyId}/rotate`, body)).data;
  const ask = async (secret: string) => (await other.call(secret, 'GET', '/v1/account')).status;
  const second = await rotate({ grace_seconds: 600 });
  assert.deepEqual([await ask(key), await ask(second.key)], [200, 200]);
  clock.advance(599_000);
  assert.equal(await ask(key), 200);
  clock.advance(1_000);
  assert.deepEqual([await ask(key), await ask(second.key)], [401, 200]);
  const third = await rotate({});
  assert.equal(Date.parse(third.previous_until) - clock.now(), 86_400_000);
  const fourth = await rotate({ grace_seconds: 600 });
  assert.deepEqual([await ask(second.key), await ask(third.key), await ask(fourth.key)], [401, 200, 200]);
});

test('a key stops at its expiry, to the millisecond, and the refusal says when that was', async (t) => {
  const clock = new ManualClock();
  const other = await startTestService(t, { service: { clock } });
  const { key } = await other.issueKey({ mode: 'test', expiresAt: clock.now() + 60_000 });
  const ask = () => other.call(key, 'GET', '/v1/account');
  assert.equal((await ask()).data.key.expires_at, new Date(clock.now() + 60_000).toISOString());
  clock.advance(59_999);
  assert.equal((await ask()).status, 200);
  clock.advance(1);
  const refused = await ask();
  assert.deepEqual(told(refused), [401, 'expired_api_key']);
  assert.match(refused.error.message, new RegExp(new Date(clock.now()).toISOString()));
});

test('a key with allowed models orders, prices and lists those alone; the public catalog stays whole', async () => {
  const { key } = await newKey({ models: ['sketch*', 'flux-2-*'] });
  const listed = (await call(key, 'GET', '/v1/models')).data.items.map((entry) => entry.model_id);
  const all = (await call(key, 'GET', '/v1/catalog')).data.items.map((entry) => entry.model_id);
  const fits = (id: string) => id.startsWith('sketch') || id.startsWith('flux-2-');
  assert.deepEqual(listed, all.filter(fits));
  assert.ok(all.some((id: string) => !fits(id)));
  assert.equal((await call(key, 'POST', '/v1/images', order)).status, 201);
  const strange = { model_id: 'flux-3-image', prompt: 'a fox' };
  for (const [method, path, body] of [
    ['POST', '/v1/images', strange],
    ['POST', '/v1/prices', strange],
    ['GET', '/v1/models/flux-3-image'],
  ] as const) {
    const refused = await call(key, method, path, body);
    assert.deepEqual(told(refused), [403, 'model_not_allowed'], path);
    assert.match(refused.error.message, /sketch\*, flux-2-\*/);
  }
});

test('a key can read its limits, and defaults are those of the contract', async () => {
  const { key } = await newKey();
  const { key: own } = (await call(key, 'GET', '/v1/account')).data;
  assert.deepEqual(
    [own.rpm, own.read_rpm, own.concurrency, own.queue, own.models, own.expires_at],
    [0, 3_000, 0, 10_000, [], null],
  );
  const wish = {
    name: 'shop',
    rpm: 5,
    read_rpm: 0,
    concurrency: 2,
    queue: 9,
    models: ['veo-*'],
    account_view: true,
    approve_over: '0.50',
  };
  const limits = { day: '1.50', month: null, total: '20.00' };
  const issued = await newKey({ ...wish, spend_limits: limits });
  for (const [name, value] of Object.entries(wish)) assert.deepEqual(issued[name as keyof typeof wish], value, name);
  assert.deepEqual(issued.spend_limits, limits);
});

test('simulate belongs to test keys; with a live key it is a field that is not taken', async () => {
  const simulate = { seconds: 0, outcome: 'content_policy' };
  const field = await call(keys.live, 'POST', '/v1/images', { ...order, simulate });
  assert.deepEqual([...told(field), field.error.param], [400, 'unsupported_field', 'simulate']);
  const header = { 'darkroom-simulate': 'outcome=content_policy; seconds=0' };
  assert.deepEqual(told(await call(keys.live, 'POST', '/v1/images', order, header)), [400, 'unsupported_field']);
  const created = await call(keys.test, 'POST', '/v1/images', order, { ...header, prefer: 'wait=60' });
  assert.deepEqual([created.data.status, created.data.error.code], ['failed', 'content_policy']);
});

test('a test key orders every model of the catalog; a live key only those with a configured route', async () => {
  const ids = async (key: string) => (await call(key, 'GET', '/v1/models')).data.items.map((entry) => entry.model_id);
  const all = (await call(null, 'GET', '/v1/catalog')).data.items;
  assert.deepEqual(
    await ids(keys.test),
    all.filter(({ status }) => status !== 'retired').map((entry) => entry.model_id),
  );
  const own = ['enlarge', 'join', 'last-frame', 'sketch', 'sketch-grid', 'sketch-motion'];
  assert.deepEqual((await ids(keys.live)).sort(), own);
  const foreign = { model_id: 'flux-2-pro', prompt: 'a fox' };
  assert.deepEqual(told(await call(keys.live, 'POST', '/v1/images', foreign)), [422, 'model_not_offered']);
  const ordered = await service.make(keys.test, '/v1/images', foreign);
  assert.deepEqual([ordered.status, ordered.mode], ['succeeded', 'test']);
});
