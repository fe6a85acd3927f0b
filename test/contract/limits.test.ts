import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, database, issueKey } = service;
/** Costs 0.005. */
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const slow = { ...order, simulate: { seconds: 3_600 } };
const told = ({ status, error }: Answer) => [status, error?.code];
const create = (key: string, body: object = order, headers: Record<string, string> = {}) =>
  call(key, 'POST', '/v1/images', body, headers);
const issue = async (wish: Partial<Parameters<typeof issueKey>[0]>) => (await issueKey({ mode: 'test', ...wish })).key;
const statuses = async (key: string): Promise<string[]> =>
  (await call(key, 'GET', '/v1/images')).data.items.map((task) => task.status).sort();

/**
 * Waits until the tasks of a key stand as expected, in whatever order; `each` round the clock moves by so many
 * milliseconds.
 */
async function settleAs(key: string, expected: readonly string[], each = 0): Promise<void> {
  let first = true;
  await until(
    () => {
      if (!first) clock.advance(each);
      first = false;
      return statuses(key);
    },
    (found) => found.join() === expected.join(),
  );
  await untilLetGo(database);
}

test('creates per minute: the last one over is refused, told when to go on, and goes on then', async () => {
  const key = await issue({ createsPerMinute: 2 });
  const first = await create(key);
  assert.equal(first.headers.get('ratelimit-policy'), '"creates";q=2;w=60');
  assert.equal(first.headers.get('ratelimit'), '"creates";r=1;t=60');
  clock.advance(20_000);
  assert.equal((await create(key)).headers.get('ratelimit'), '"creates";r=0;t=40');
  const refused = await create(key);
  assert.deepEqual(told(refused), [429, 'rate_limited']);
  assert.deepEqual(
    [refused.headers.get('retry-after'), refused.headers.get('ratelimit')],
    ['40', '"creates";r=0;t=40'],
  );
  assert.match(refused.error.message, /2 creates per minute.*40 s/);
  clock.advance(39_000);
  assert.deepEqual(told(await create(key)), [429, 'rate_limited']);
  clock.advance(1_000);
  assert.equal((await create(key)).status, 201);
});

test('creates of every kind count together, and neither reads nor prices count as creates', async () => {
  const key = await issue({ createsPerMinute: 2 });
  assert.equal(
    (await call(key, 'POST', '/v1/videos', { ...slow, model_id: 'sketch-motion', resolution: '360p' })).status,
    201,
  );
  assert.equal((await call(key, 'POST', '/v1/images/actions', { parent_task_id: 'x', action: 'upscale' })).status, 404);
  assert.deepEqual(told(await create(key)), [429, 'rate_limited']);
  for (const [method, path, body] of [
    ['GET', '/v1/images'],
    ['GET', '/v1/models'],
    ['POST', '/v1/prices', order],
    ['GET', '/v1/account'],
  ] as const)
    assert.equal((await call(key, method, path, body)).status, 200, path);
});

test('reads per minute are limited apart, 3,000 unless said otherwise, and a refused read says when', async () => {
  const key = await issue({ readsPerMinute: 2 });
  const usual = await call(await issue({}), 'GET', '/v1/images');
  assert.equal(usual.headers.get('ratelimit-policy'), '"reads";q=3000;w=60');
  assert.equal((await call(key, 'GET', '/v1/images')).status, 200);
  assert.equal((await call(key, 'POST', '/v1/prices', order)).status, 200);
  for (const [method, path, body] of [
    ['GET', '/v1/images'],
    ['GET', '/v1/videos/x'],
    ['POST', '/v1/prices', order],
    ['GET', '/v1/models'],
  ] as const) {
    const refused = await call(key, method, path, body);
    assert.deepEqual([...told(refused), refused.headers.get('retry-after')], [429, 'rate_limited', '60'], path);
  }
  assert.equal((await create(key)).status, 201);
});

test('0 is no limit: then no RateLimit header is sent, and by default creates have none', async () => {
  const key = await issue({ readsPerMinute: 0 });
  for (const answer of [await create(key), await call(key, 'GET', '/v1/images')])
    assert.equal(answer.headers.get('ratelimit'), null);
});

test('concurrency lets more wait as queued rather than refusing them, and the next one runs when one has ended', async () => {
  const key = await issue({ concurrency: 2 });
  const brief = { ...order, simulate: { seconds: 10 } };
  for (let count = 0; count < 4; count++) assert.equal((await create(key, brief)).status, 201);
  await settleAs(key, ['processing', 'processing', 'queued', 'queued']);
  // An order of another key that was placed later has been made: the worker had its turns meanwhile.
  const immediate = { ...order, simulate: { seconds: 0 } };
  assert.equal((await create(await issue({}), immediate, { prefer: 'wait=60' })).data.status, 'succeeded');
  assert.deepEqual(await statuses(key), ['processing', 'processing', 'queued', 'queued']);
  clock.advance(11_000);
  await settleAs(key, ['processing', 'processing', 'succeeded', 'succeeded']);
  await settleAs(key, ['succeeded', 'succeeded', 'succeeded', 'succeeded'], 1_000);
});

test('one key at its concurrency keeps no other key waiting', async () => {
  const [busy, idle] = [await issue({ concurrency: 1 }), await issue({})];
  for (let count = 0; count < 5; count++) await create(busy, slow);
  const { data } = await create(idle, { ...order, simulate: { seconds: 0 } }, { prefer: 'wait=60' });
  assert.equal(data.status, 'succeeded');
});

test('a queue that is full refuses with 429 queue_full, and takes orders again when some have started', async () => {
  const key = await issue({ concurrency: 1, queueLimit: 2 });
  const brief = { ...order, simulate: { seconds: 10 } };
  const push = async (expected: readonly string[]) => {
    assert.equal((await create(key, brief)).status, 201);
    await settleAs(key, expected);
    clock.advance(1_000);
  };
  await push(['processing']);
  await push(['processing', 'queued']);
  await push(['processing', 'queued', 'queued']);
  const refused = await create(key, brief);
  assert.deepEqual(told(refused), [429, 'queue_full']);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.match(refused.error.message, /^2 tasks of this API key are waiting; the limit is 2\./);
  const { data: client } = await call(key, 'POST', '/v1/client_tokens', { end_user: 'ada' });
  const { error } = await create(client.token, order);
  assert.equal(error.message, 'As many tasks of this app wait as may. Retry when some have started.');
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 3);
  clock.advance(10_000);
  // The clock goes on, so that whatever is tried again after a while is tried again.
  await settleAs(key, ['processing', 'queued', 'succeeded'], 20);
  assert.equal((await create(key, brief)).status, 201);
});

test('tasks that have started do not count as waiting, however many are sent in a second', async () => {
  const key = await issue({ queueLimit: 2 });
  for (let count = 1; count <= 6; count++) {
    assert.equal((await create(key, slow)).status, 201, `the order ${count}`);
    await settleAs(
      key,
      Array.from({ length: count }, () => 'processing'),
    );
    clock.advance(100);
  }
});

test('an Idempotency-Key finds its task past every limit but the rate', async () => {
  const key = await issue({ createsPerMinute: 3, concurrency: 1, queueLimit: 1, spendLimits: { total: 5_000 } });
  const once = { 'idempotency-key': 'once' };
  const { task_id: taskId } = (await create(key, slow, once)).data;
  assert.equal((await create(key, slow)).status >= 400, true);
  const replay = await create(key, slow, once);
  assert.deepEqual([replay.status, replay.data.task_id], [201, taskId]);
  assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(told(await create(key, slow, once)), [429, 'rate_limited']);
});

for (const [window, days, resetsAt, timezone = 'UTC'] of [
  ['day', 1, '2026-11-20T23:00:00.000Z', 'Europe/Berlin'],
  ['month', 11, '2026-11-30T23:00:00.000Z', 'Europe/Berlin'],
  ['day', 1, '2026-11-21T00:00:00.000Z'],
  ['month', 11, '2026-12-01T00:00:00.000Z'],
  ['total', 20, null],
] as const) {
  test(`a spend limit per ${window} counts holds, says what is left, and ${resetsAt === null ? 'never resets' : `resets at midnight ${timezone}`}`, async (t) => {
    const own = new ManualClock();
    const fresh = await startTestService(t, {
      // The orders end within the time that passes: they must be charged then, since a timeout would release their
      // holds.
      env: { DARKROOM_HARD_DEADLINE_MINUTES: '43200' },
      service: { clock: own, engines: [createSwiftEngine({}, own)] },
    });
    const { key } = await fresh.issueKey({ mode: 'test', spendLimits: { [window]: 12_000 }, timezone });
    const buy = (body: object = slow) => fresh.call(key, 'POST', '/v1/images', body);
    assert.deepEqual([(await buy()).status, (await buy()).status], [201, 201]);
    const refused = await buy();
    assert.deepEqual(told(refused), [402, 'spend_limit_reached']);
    assert.deepEqual(refused.error.details, [
      { limit: '0.012', window, needed: '0.005', available: '0.002', resets_at: resetsAt, currency: 'USD' },
    ]);
    const { key: shown } = (await fresh.call(key, 'GET', '/v1/account')).data;
    assert.deepEqual(shown.spend_limits[window], { limit: '0.012', spent: '0.01' });
    own.advance((resetsAt === null ? own.now() + days * 86_400_000 : Date.parse(resetsAt)) - own.now() - 1);
    assert.equal((await buy()).status, 402);
    own.advance(1);
    assert.equal((await buy()).status, resetsAt === null ? 402 : 201);
  });
}

test('an end user has the time zone of the key, or its own, and the limits of both end at the midnight of theirs', async (t) => {
  const { issueKey, call: ask } = await startTestService(t, { service: { clock: new ManualClock() } });
  const { key } = await issueKey({ mode: 'test', endUserLimits: { day: 5_000 }, timezone: 'Asia/Kathmandu' });
  const limits = { month: '9.00', timezone: 'America/Havana' };
  assert.equal((await ask(key, 'PUT', '/v1/end_users/own', { limits })).status, 200);
  for (const [name, day, month] of [
    ['own', '2026-11-21T05:00:00.000Z', '2026-12-01T05:00:00.000Z'],
    ['other', '2026-11-20T18:15:00.000Z', '2026-11-30T18:15:00.000Z'],
  ] as const) {
    const buy = () => ask(key, 'POST', '/v1/images', { ...slow, end_user: name });
    assert.equal((await buy()).status, 201);
    const refused = await buy();
    assert.deepEqual([refused.error.code, refused.error.details[0].resets_at], ['end_user_limit_reached', day]);
    const { windows, limits: shown } = (await ask(key, 'GET', `/v1/end_users/${name}`)).data;
    assert.deepEqual([windows.day.resets_at, windows.month.resets_at, windows.day.held], [day, month, '0.005']);
    assert.equal(shown.timezone, name === 'own' ? 'America/Havana' : undefined);
  }
  assert.equal((await ask(key, 'GET', '/v1/account')).data.key.timezone, 'Asia/Kathmandu');
  const wrong = await ask(key, 'PUT', '/v1/end_users/own', { limits: { timezone: 'Mars/Olympus' } });
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'limits.timezone']);
});

test('released holds no longer count against a spend limit, charges count with their cost', async () => {
  const key = await issue({ spendLimits: { day: 5_000, total: 10_000 } });
  for (const outcome of ['content_policy', 'upstream_error', 'timeout', 'outcome_unknown']) {
    const failed = await create(key, { ...order, simulate: { outcome } }, { prefer: 'wait=60' });
    assert.deepEqual([failed.status, failed.data.cost.state], [201, 'released'], outcome);
  }
  const made = await create(key, order, { prefer: 'wait=60' });
  assert.equal(made.data.cost.state, 'charged');
  const { spend_limits: limits } = (await call(key, 'GET', '/v1/account')).data.key;
  assert.deepEqual([limits.day.spent, limits.month, limits.total.spent], ['0.005', null, '0.005']);
  assert.equal((await create(key)).error.details[0].window, 'day');
});

test("a release for yesterday's order counts for yesterday", async (t) => {
  const own = new ManualClock();
  const fresh = await startTestService(t, { service: { clock: own, engines: [createSwiftEngine({}, own)] } });
  const { key } = await fresh.issueKey({ mode: 'test', spendLimits: { day: 20_000, month: 20_000, total: 20_000 } });
  own.advance(12 * 3_600_000 - 1_000);
  const failing = { ...order, simulate: { outcome: 'timeout', seconds: 10 } };
  const { task_id: taskId } = (await fresh.call(key, 'POST', '/v1/images', failing)).data;
  while ((await fresh.call(key, 'GET', `/v1/images/${taskId}`)).data.status === 'queued') await pause(10);
  await untilLetGo(fresh.database);
  own.advance(2_000);
  assert.equal((await fresh.call(key, 'POST', '/v1/images', slow)).status, 201);
  await untilLetGo(fresh.database);
  own.advance(11_000);
  const { data } = await fresh.call(key, 'GET', `/v1/images/${taskId}`, undefined, { prefer: 'wait=60' });
  assert.equal(data.cost.state, 'released');
  const { spend_limits: spent } = (await fresh.call(key, 'GET', '/v1/account')).data.key;
  assert.deepEqual([spent.day.spent, spent.month.spent, spent.total.spent], ['0.005', '0.005', '0.005']);
});

test('a hundred orders at once never pass a spend limit together', async () => {
  const key = await issue({ spendLimits: { total: 35_000 } });
  const answers = await Promise.all(Array.from({ length: 100 }, () => create(key, slow)));
  assert.equal(answers.filter((answer) => answer.status === 201).length, 7);
  assert.ok(answers.every((answer) => answer.status === 201 || answer.error.code === 'spend_limit_reached'));
});
