import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createIdFactory } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { changeLimitsOfKey } from '../../src/tasks/change-limits-of-key.ts';
import { HOOKS } from '../helpers/additions.ts';
import { startAwakeTime } from '../helpers/awake-time.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys, database, issueKey } = service;
/** Costs 0.005. */
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const slow = { ...order, simulate: { seconds: 3_600 } };
const told = ({ status, error }: Answer) => [status, error?.code];
const change = (keyId: string, body: object) => call(keys.admin, 'PATCH', `/admin/v1/keys/${keyId}`, body);
const create = (key: string, body: object = slow) => call(key, 'POST', '/v1/images', body);
const ofKey = async (keyId: string) => {
  const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
  return data.items.filter(({ target }) => target === keyId).map(({ act, detail }) => ({ act, detail }));
};

test('every setting of a key can be changed, alone or together, with one audit line of before and after', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test', name: 'shop', createsPerMinute: 7 });
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const wish = {
    name: 'shop 2',
    expires_at: expires,
    models: ['sketch*'],
    rpm: 30,
    read_rpm: 0,
    concurrency: 3,
    queue: 9,
    spend_limits: { day: '1.50', month: null, total: '20.00' },
    end_user_limits: { day: null, month: '2.00', total: null },
    timezone: 'Europe/Berlin',
    account_view: true,
    approve_over: '0.50',
  };
  const changed = await change(keyId, wish);
  assert.equal(changed.status, 200);
  for (const [name, value] of Object.entries(wish)) assert.deepEqual(changed.data[name as 'name'], value, name);
  assert.doesNotMatch(JSON.stringify(changed.body), new RegExp(key));
  assert.equal((await change(keyId, { spend_limits: { day: null } })).data.spend_limits.total, '20.00');
  assert.equal((await change(keyId, { expires_at: null })).data.expires_at, null);
  assert.equal((await change(keyId, { rpm: 30, name: 'shop 2' })).status, 200);
  const { key: own } = (await call(key, 'GET', '/v1/account')).data;
  assert.deepEqual([own.name, own.rpm, own.concurrency, own.models], ['shop 2', 30, 3, ['sketch*']]);
  const [last, second, first, ...older] = await ofKey(keyId);
  assert.deepEqual(
    [last, second],
    [
      { act: 'key.change', detail: { before: { expires_at: expires }, after: { expires_at: null } } },
      {
        act: 'key.change',
        detail: {
          before: { spend_limits: wish.spend_limits },
          after: { spend_limits: { day: null, month: null, total: '20.00' } },
        },
      },
    ],
  );
  assert.deepEqual(first?.detail.after, wish);
  assert.equal((first?.detail.before as { rpm: number } | undefined)?.rpm, 7);
  assert.deepEqual(
    older.map(({ act }) => act),
    ['key.create'],
  );
});

test('wrong values are refused together by their fields, and change nothing', async () => {
  const { key_id: keyId } = await issueKey({ mode: 'test', name: 'shop' });
  const wrong = {
    name: ' ',
    models: ['FLUX!'],
    spend_limits: { day: '-1' },
    timezone: 'Mars/Olympus',
    expires_at: '2020-01-01T00:00:00Z',
  };
  const refused = await change(keyId, wrong);
  assert.deepEqual(told(refused), [400, 'invalid_request']);
  assert.deepEqual(refused.error.details.map(({ param }: { param: string }) => param).sort(), [
    'expires_at',
    'models[0]',
    'name',
    'spend_limits.day',
    'timezone',
  ]);
  assert.deepEqual(told(await change(keyId, {})), [400, 'invalid_request']);
  assert.deepEqual(told(await change(keyId, { mode: 'live' })), [400, 'unsupported_field']);
  assert.deepEqual(told(await change('key_missing', { name: 'x' })), [404, 'not_found']);
  assert.deepEqual(
    (await ofKey(keyId)).map(({ act }) => act),
    ['key.create'],
  );
  await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
  const revoked = await change(keyId, { name: 'again' });
  assert.deepEqual(told(revoked), [400, 'invalid_request']);
  assert.match(revoked.error.message, /was revoked/);
});

test('a new spend limit counts what was ordered before it, and a lowered one leaves held orders alone', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test' });
  const held = await create(key);
  await service.make(key, '/v1/images', order);
  assert.equal((await change(keyId, { spend_limits: { month: '0.015' } })).status, 200);
  assert.equal((await create(key)).status, 201);
  assert.deepEqual(told(await create(key)), [402, 'spend_limit_reached']);
  assert.equal((await change(keyId, { spend_limits: { month: '0.001' } })).status, 200);
  const { data } = await call(key, 'GET', '/v1/account');
  assert.deepEqual([data.key.spend_limits.month, data.held], [{ limit: '0.001', spent: '0.015' }, '0.01']);
  assert.ok(['queued', 'processing'].includes((await call(key, 'GET', held.data.urls.self)).data.status));
  assert.equal((await change(keyId, { spend_limits: { month: '0.02' } })).status, 200);
  assert.equal((await create(key)).status, 201);
});

test('more concurrency starts waiting tasks at once, and less lets the running ones end', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test', concurrency: 1 });
  for (let count = 0; count < 4; count++) assert.equal((await create(key)).status, 201);
  const running = async () =>
    (await call(key, 'GET', '/v1/images')).data.items.filter(({ status }) => status === 'processing').length;
  const untilRunning = (expected: number) => until(running, (count) => count === expected);
  await untilRunning(1);
  assert.equal((await change(keyId, { concurrency: 2 })).status, 200);
  await untilRunning(2);
  assert.equal((await change(keyId, { concurrency: 0 })).status, 200);
  await untilRunning(4);
  assert.equal((await change(keyId, { concurrency: 1 })).status, 200);
  assert.equal(await running(), 4);
});

test('a running service follows a change by another process within five seconds', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test', name: 'before' });
  assert.equal((await call(key, 'GET', '/v1/account')).data.key.name, 'before');
  const by = { actor: 'command line', now: Date.now(), createId: createIdFactory(Date.now) };
  await changeLimitsOfKey({ database, hooks: HOOKS }, by, keyId, {
    name: 'after',
    models: ['veo-*'],
    createsPerMinute: 1,
  });
  const awakeMs = startAwakeTime();
  while ((await call(key, 'GET', '/v1/account')).data.key.name === 'before' && awakeMs() < 6_000) await pause(100);
  assert.ok(awakeMs() < 5_000, `${awakeMs()} ms`);
  assert.deepEqual(told(await create(key)), [403, 'model_not_allowed']);
});

test('an expired key works again with a later expiry', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test', expiresAt: Date.now() + 400 });
  await until(
    () => call(key, 'GET', '/v1/account'),
    ({ status }) => status === 401,
  );
  assert.equal((await change(keyId, { expires_at: new Date(Date.now() + 60_000).toISOString() })).status, 200);
  assert.equal((await call(key, 'GET', '/v1/account')).status, 200);
});

test('the usage of keys is what they spent this month, what they hold, and when they last ordered', async () => {
  const [busy, idle] = [await issueKey({ mode: 'test' }), await issueKey({ mode: 'test' })];
  await service.make(busy.key, '/v1/images', order);
  const { data: last } = await create(busy.key);
  const { data } = await call(keys.admin, 'GET', `/admin/v1/keys/usage?key_ids=${idle.key_id},${busy.key_id}`);
  const month = new Date(new Date().setUTCDate(1)).toISOString().slice(0, 10);
  assert.equal(data.since, `${month}T00:00:00.000Z`);
  assert.deepEqual(
    data.items.find(({ key_id }) => key_id === busy.key_id),
    { key_id: busy.key_id, charged: '0.005', held: '0.005', last_order_at: last.created_at },
  );
  assert.deepEqual(
    data.items.find(({ key_id }) => key_id === idle.key_id),
    { key_id: idle.key_id, charged: '0.00', held: '0.00', last_order_at: null },
  );
  assert.deepEqual(told(await call(keys.admin, 'GET', '/admin/v1/keys/usage?key_ids=x')), [400, 'invalid_request']);
});
