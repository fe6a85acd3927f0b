import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type DataOf, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What end users of a key may spend, over HTTP. The clock starts at noon of 20 November 2026. */
const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, database, issueKey, keys, make } = service;
const told = ({ status, error }: Answer) => [status, error?.code];
const issue = async (wish: Partial<Parameters<typeof issueKey>[0]> = {}) =>
  (await issueKey({ mode: 'test', ...wish })).key;
/** Costs 0.005. */
const orderOf = (endUser: string | null) => ({
  model_id: 'sketch',
  prompt: 'a fox',
  resolution: '0.5K',
  ...(endUser === null ? {} : { end_user: endUser }),
});
const slowly = (endUser: string | null) => ({ ...orderOf(endUser), simulate: { seconds: 3_600 } });
const create = (key: string, body: object) => call(key, 'POST', '/v1/images', body);
const limit = (key: string, endUser: string, limits: object) =>
  call(key, 'PUT', `/v1/end_users/${encodeURIComponent(endUser)}`, { limits });
const look = async (key: string, endUser: string) =>
  (await call(key, 'GET', `/v1/end_users/${encodeURIComponent(endUser)}`)).data;

test('a limit counts what its windows hold already, and its refusal says what is left and until when', async () => {
  const key = await issue();
  await make(key, '/v1/images', orderOf('ada'));
  assert.equal((await create(key, slowly('ada'))).status, 201);
  const set = await limit(key, 'ada', { day: '0.015', month: '20', total: null });
  assert.deepEqual(set.data, {
    end_user: 'ada',
    mode: 'test',
    currency: 'USD',
    limits: { day: '0.015', month: '20.00', total: null },
    windows: {
      day: {
        limit: '0.015',
        charged: '0.005',
        held: '0.005',
        available: '0.005',
        resets_at: '2026-11-21T00:00:00.000Z',
      },
      month: {
        limit: '20.00',
        charged: '0.005',
        held: '0.005',
        available: '19.99',
        resets_at: '2026-12-01T00:00:00.000Z',
      },
      total: { limit: null, charged: '0.005', held: '0.005', available: null, resets_at: null },
    },
  });
  assert.equal((await create(key, slowly('ada'))).status, 201);
  const refused = await create(key, slowly('ada'));
  assert.deepEqual(told(refused), [402, 'end_user_limit_reached']);
  assert.equal(refused.error.param, 'end_user');
  assert.match(
    refused.error.message,
    /^The end user 'ada' needs 0\.005 USD for this, but can spend only 0\.00 USD more of its 0\.015 USD per day\. Wait until 2026-11-21T00:00:00\.000Z/,
  );
  assert.deepEqual(refused.error.details, [
    {
      end_user: 'ada',
      limit: '0.015',
      window: 'day',
      needed: '0.005',
      available: '0.00',
      resets_at: '2026-11-21T00:00:00.000Z',
      currency: 'USD',
    },
  ]);
  assert.equal((await create(key, slowly('bob'))).status, 201);
  assert.equal((await create(key, slowly(null))).status, 201);
});

test('a canceled order makes room again, and a deleted one does not', async () => {
  const key = await issue({ concurrency: 1 });
  await limit(key, 'ada', { total: '0.015' });
  const made = await make(key, '/v1/images', orderOf('ada'));
  // It occupies the key's only slot.
  assert.equal((await create(key, slowly('ada'))).status, 201);
  const waiting = await create(key, slowly('ada'));
  assert.deepEqual(told(await create(key, slowly('ada'))), [402, 'end_user_limit_reached']);
  assert.equal((await call(key, 'POST', `/v1/images/${waiting.data.task_id}/cancel`)).status, 200);
  await untilLetGo(database);
  assert.equal((await look(key, 'ada')).windows.total.available, '0.005');
  assert.equal((await call(key, 'DELETE', `/v1/images/${made.task_id}`)).status, 200);
  assert.deepEqual((await look(key, 'ada')).windows.total, {
    limit: '0.015',
    charged: '0.005',
    held: '0.005',
    available: '0.005',
    resets_at: null,
  });
});

test('a key gives its end users a limit, which each can have otherwise, and get back', async () => {
  const { key, key_id: keyId } = await issueKey({ mode: 'test', endUserLimits: { day: 5_000 } });
  assert.equal((await create(key, slowly('ada'))).status, 201);
  assert.deepEqual(told(await create(key, slowly('ada'))), [402, 'end_user_limit_reached']);
  assert.equal((await create(key, slowly('bob'))).status, 201);
  assert.equal((await limit(key, 'ada', { month: '0.01' })).data.windows.day.limit, '0.005');
  assert.deepEqual(told(await create(key, slowly('ada'))), [402, 'end_user_limit_reached']);
  assert.equal((await limit(key, 'ada', { day: null, month: '0.01' })).data.windows.day.limit, null);
  assert.equal((await create(key, slowly('ada'))).status, 201);
  assert.match((await create(key, slowly('ada'))).error.message, /0\.01 USD per month/);
  const cleared = await call(key, 'DELETE', '/v1/end_users/ada');
  assert.deepEqual([cleared.data.limits, cleared.data.windows.day.limit], [{}, '0.005']);
  const changed = await call(keys.admin, 'PATCH', `/admin/v1/keys/${keyId}`, { end_user_limits: { total: '1.00' } });
  assert.deepEqual(changed.data.end_user_limits, { day: '0.005', month: null, total: '1.00' });
  await call(keys.admin, 'PATCH', `/admin/v1/keys/${keyId}`, { end_user_limits: { day: null } });
  assert.deepEqual((await call(key, 'GET', '/v1/account')).data.key.end_user_limits, {
    day: null,
    month: null,
    total: '1.00',
  });
  assert.equal((await create(key, slowly('ada'))).status, 201);
  assert.deepEqual(told(await call(keys.admin, 'PATCH', `/admin/v1/keys/${keyId}`, {})), [400, 'invalid_request']);
  const issued = await call(keys.admin, 'POST', '/admin/v1/keys', {
    mode: 'live',
    end_user_limits: { month: '3.00' },
  });
  assert.deepEqual(issued.data.end_user_limits, { day: null, month: '3.00', total: null });
});

test('another key, and the other mode, sees and changes nothing of an end user', async () => {
  const [live, other] = [await issue({ mode: 'live' }), await issue()];
  await limit(live, 'ada', { total: '0.00' });
  assert.deepEqual((await look(other, 'ada')).limits, {});
  assert.equal((await create(other, slowly('ada'))).status, 201);
  await limit(other, 'ada', { total: '5.00' });
  assert.deepEqual(told(await create(live, orderOf('ada'))), [402, 'end_user_limit_reached']);
});

test('the list has those with limits and those with orders, by name, a page at a time', async () => {
  const key = await issue();
  for (const name of ['b', '日本', 'a/b c', 'b']) assert.equal((await create(key, slowly(name))).status, 201, name);
  await limit(key, 'limited', { day: '1.00' });
  await limit(key, 'b', { day: '1.00' });
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ limit: '2', ...(after === '' ? {} : { after }) });
    const page: DataOf<'GET', '/v1/end_users'> = (await call(key, 'GET', `/v1/end_users?${query}`)).data;
    assert.equal(page.limit, 2);
    seen.push(...page.items.map(({ end_user: name }) => name));
    after = page.has_more ? page.items.at(-1)!.end_user : null;
  }
  assert.deepEqual(seen, ['a/b c', 'b', 'limited', '日本']);
  const { data } = await call(key, 'GET', '/v1/end_users?limit=1');
  assert.equal(data.items[0].windows.day.held, '0.005');
  assert.equal((await look(key, 'a/b c')).windows.day.held, '0.005');
});

test('usage can be asked for one end user', async () => {
  const key = await issue();
  for (const name of ['ada', 'ada', 'bob']) await create(key, slowly(name));
  const { data } = await call(key, 'GET', '/v1/account/usage?end_user=ada&group_by=end_user');
  assert.deepEqual(
    data.items.map(({ end_user: name, tasks, held }) => [name, tasks, held]),
    [['ada', 2, '0.01']],
  );
});

test('wrong limits and names are refused, and say what is expected', async () => {
  const key = await issue();
  const wrong: [limits: unknown, param: string][] = [
    [{ day: 1 }, 'limits.day'],
    [{ day: '-1.00' }, 'limits.day'],
    [{ week: '1.00' }, 'limits.week'],
    [undefined, 'limits'],
  ];
  for (const [limits, param] of wrong) {
    const { status, error } = await call(key, 'PUT', '/v1/end_users/ada', { limits });
    assert.deepEqual([status, error.param], [400, param], JSON.stringify(limits));
  }
  for (const name of ['x'.repeat(129), 'a%00b'])
    assert.equal((await call(key, 'PUT', `/v1/end_users/${name}`, { limits: {} })).status, 400, name);
  assert.equal((await call(key, 'GET', `/v1/end_users/${'é'.repeat(128)}`)).status, 200);
});
