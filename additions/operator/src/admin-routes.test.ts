import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { CatalogFault } from '../../../src/catalog/catalog.ts';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { multiplyTask } from '../../../test/helpers/multiply-task.ts';

const refused = (response: LightMyRequestResponse) => [response.statusCode, response.json().error.code];
const order = { model_id: 'sketch', prompt: 'fox' };

async function open(t: Parameters<typeof openTestHttp>[0], changes: Parameters<typeof openTestHttp>[1] = {}) {
  const http = await openTestHttp(t, changes);
  const admin = await http.issue({ mode: 'admin' });
  const call = (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) => http.as(admin.key, { method, url: `/admin/v1/${url}`, ...(payload === undefined ? {} : { payload }), headers });
  return { ...http, admin, call };
}

test('an account is made, credited once per Idempotency-Key, and limited at once', async (t) => {
  const { call, as } = await open(t);
  const made = await call('POST', 'accounts', { account_id: 'acme', name: 'Acme' });
  assert.deepEqual([made.statusCode, made.json().data.balance, made.json().data.credit_limit], [201, '0.00', '0.00']);
  assert.deepEqual(refused(await call('POST', 'accounts', { account_id: 'acme' })), [400, 'invalid_request']);
  const { key } = (await call('POST', 'keys', { account_id: 'acme', mode: 'live' })).json().data;
  const create = () => as(key, { method: 'POST', url: '/v1/images', payload: order });
  assert.deepEqual(refused(await create()), [402, 'insufficient_balance']);
  const credit = () =>
    call('POST', 'accounts/acme/credit', { amount: '0.01', note: 'first' }, { 'idempotency-key': 'c' });
  const [first, second] = [await credit(), await credit()];
  assert.deepEqual([first.json().data.balance, second.json().data.balance], ['0.01', '0.01']);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal((await create()).statusCode, 201);
  assert.deepEqual(refused(await create()), [402, 'insufficient_balance']);
  await call('PATCH', 'accounts/acme', { credit_limit: null });
  assert.equal((await create()).statusCode, 201);
  await call('PATCH', 'accounts/acme', {
    price_rules: [{ models: 'sk*', multiplier: '3' }],
    hidden_models: ['flux-*'],
  });
  assert.equal((await create()).json().data.cost.amount, '0.03');
  const models = (await as(key, { url: '/v1/models' })).json().data.items as {
    model_id: string;
    pricing: { from: string };
  }[];
  assert.equal(models.find((model) => model.model_id === 'sketch')?.pricing.from, '0.015');
  assert.equal(
    models.some((model) => model.model_id.startsWith('flux-')),
    false,
  );
});

test('a key is issued with its terms, rotated and revoked, and each holds at once', async (t) => {
  const { call, as } = await open(t);
  const issued = await call('POST', 'keys', {
    mode: 'test',
    name: 'shop',
    models: ['sketch*'],
    spend_limits: { day: '1.50' },
  });
  const { key, key_id: keyId, ...view } = issued.json().data;
  assert.deepEqual(
    [issued.statusCode, view.name, view.models, view.spend_limits.day],
    [201, 'shop', ['sketch*'], '1.50'],
  );
  assert.equal((await as(key, { url: '/v1/images' })).statusCode, 200);
  const rotated = (await call('POST', `keys/${keyId}/rotate`, { grace_seconds: 0 })).json().data;
  assert.deepEqual(refused(await as(key, { url: '/v1/images' })), [401, 'revoked_api_key']);
  const { task_id: taskId } = (await as(rotated.key, { method: 'POST', url: '/v1/images', payload: order })).json()
    .data;
  assert.match(taskId, /^img_/);
  assert.equal((await call('POST', `keys/${keyId}/revoke`)).json().data.unreachable_tasks, 1);
  assert.deepEqual(refused(await as(rotated.key, { url: '/v1/images' })), [401, 'revoked_api_key']);
  const listed = await call('GET', 'keys?account_id=default');
  assert.equal(listed.json().data.items.length, 2);
  assert.doesNotMatch(listed.body, /dk_|_hash|"hash/);
  const odd = await call('POST', 'keys', { mode: 'root', rpm: -1, colour: 'red' });
  assert.deepEqual(
    odd
      .json()
      .error.details.map((fault: { param: string }) => fault.param)
      .sort(),
    ['colour', 'mode', 'rpm'],
  );
});

test('a paused engine or model takes no orders until it is resumed, and the lists say so', async (t) => {
  const { call, as, issue, clock } = await open(t);
  const { key } = await issue();
  const create = () => as(key, { method: 'POST', url: '/v1/images', payload: order });
  const listed = async () => {
    clock.advance(1_000);
    return (await as(key, { url: '/v1/models' })).body.includes('"sketch"');
  };
  for (const target of ['engines/sketch', 'models/sketch']) {
    assert.equal((await call('POST', `${target}/pause`, { reason: 'repair' })).statusCode, 200);
    assert.deepEqual(refused(await create()), [503, 'model_unavailable'], target);
    assert.equal(await listed(), false, target);
    const [kind, name] = target.split('/');
    const entries = (await call('GET', `${kind}`)).json().data.items as {
      name?: string;
      model_id?: string;
      reason: string;
    }[];
    assert.equal(entries.find((entry) => (entry.model_id ?? entry.name) === name)?.reason, 'repair');
    await call('POST', `${target}/resume`);
    assert.equal((await create()).statusCode, 201, target);
  }
  assert.equal(await listed(), true);
  assert.deepEqual(refused(await call('POST', 'engines/nobody/pause')), [404, 'not_found']);
});

test('every act of an operator is recorded with its actor, and no secret is recorded', async (t) => {
  const { call, admin } = await open(t);
  const { key_id: keyId } = (await call('POST', 'keys', { mode: 'live' })).json().data;
  await call('POST', 'catalog/reload');
  const page = await call('GET', 'audit?limit=2');
  const { items, has_more: hasMore } = page.json().data;
  assert.deepEqual(
    items.map((entry: { act: string; actor: string; target: string }) => [entry.act, entry.actor, entry.target]),
    [
      ['catalog.reload', admin.key_id, null],
      ['key.create', admin.key_id, keyId],
    ],
  );
  assert.equal(hasMore, true);
  assert.doesNotMatch(page.body, /dk_live/);
});

test('a catalog with faults is rejected, and every fault is reported', async (t) => {
  const { call } = await open(t, {
    reloadCatalog: async () => {
      throw new CatalogFault([{ file: 'a.json', entry: 'x', message: 'has no price' }]);
    },
  });
  const response = await call('POST', 'catalog/reload');
  assert.deepEqual(refused(response), [400, 'invalid_request']);
  assert.match(response.json().error.message, /a\.json: has no price/);
});

test('an operator finds a task of any key, without its prompt', async (t) => {
  const { call, as, issue } = await open(t);
  const { key, key_id: keyId } = await issue();
  const { task_id: taskId } = (await as(key, { method: 'POST', url: '/v1/images', payload: order })).json().data;
  const found = await call('GET', `tasks/${taskId}`);
  assert.deepEqual([found.json().data.key_id, found.json().data.step], [keyId, 'waiting']);
  assert.doesNotMatch(found.body, /fox/);
  const countOf = async (search: string) =>
    (await call('GET', `tasks?mode=all&search=${search}`)).json().data.items.length;
  assert.deepEqual([await countOf(keyId), await countOf('key_none')], [1, 0]);
  assert.deepEqual(refused(await call('GET', 'tasks/img_none')), [404, 'task_not_found']);
});

test('entries to reconcile stay listed until they are resolved, one or several with one finding', async (t) => {
  const { call, as, issue, services } = await open(t);
  const { key, key_id: keyId } = await issue({ mode: 'live' });
  const list = async (query = '') => (await call('GET', `reconciliation${query}`)).json().data.items;
  const idsOf = async (query = '') =>
    (await list(query)).map((entry: { reconciliation_id: string }) => entry.reconciliation_id);
  for (const id of ['rec_1', 'rec_2', 'rec_3']) {
    const created = await as(key, { method: 'POST', url: '/v1/images', payload: order });
    const detail = { kind: 'outcome_unknown', detail_json: '{"engine":"fal"}', created_at: 0 } as const;
    const row = { id, task_id: created.json().data.task_id, ...detail, resolved_at: null, resolution: null };
    await services.database.write('test', (trx) => trx.run(trx.builder.insertInto('reconciliation').values(row)));
  }
  const [{ account_id, key_id, model_id, engine, mode, price, called_at }] = await list();
  assert.deepEqual(
    [account_id, key_id, model_id, engine, mode, price, called_at],
    ['default', keyId, 'sketch', 'sketch', 'live', '0.01', null],
  );
  assert.deepEqual(await idsOf('?engine=sketch'), ['rec_3', 'rec_2', 'rec_1']);
  assert.deepEqual(await idsOf('?engine=fal'), []);
  const resolved = await call('POST', 'reconciliation/rec_1/resolve', { resolution: 'not billed there' });
  assert.equal(resolved.json().data.resolution, 'not billed there');
  assert.deepEqual([await idsOf(), await idsOf('?resolved=true')], [['rec_3', 'rec_2'], ['rec_1']]);
  const one = await call('POST', 'reconciliation/rec_4/resolve', { resolution: 'x' });
  assert.deepEqual(refused(one), [404, 'not_found']);

  const some = (ids: readonly string[]) =>
    call('POST', 'reconciliation/resolve', { ids, resolution: 'an outage; they bill nothing' });
  assert.deepEqual(refused(await some(['rec_3', 'rec_4'])), [404, 'not_found']);
  assert.deepEqual(await idsOf(), ['rec_3', 'rec_2'], 'all or none');
  for (const ids of [[], ['rec_3', 'rec_3'], Array.from({ length: 101 }, (_, index) => `rec_${index}`)])
    assert.deepEqual(refused(await some(ids)), [400, 'invalid_request'], `${ids.length}`);
  const both = (await some(['rec_3', 'rec_2'])).json().data.items;
  assert.deepEqual(
    both.map((entry: { reconciliation_id: string; resolution: string }) => [entry.reconciliation_id, entry.resolution]),
    ['rec_3', 'rec_2'].map((id) => [id, 'an outage; they bill nothing']),
  );
  assert.deepEqual(await idsOf(), []);
  const acts = (await call('GET', 'audit')).json().data.items.map((act: { target: string }) => act.target);
  assert.deepEqual(acts.slice(0, 3).sort(), ['rec_1', 'rec_2', 'rec_3']);
});

test('queues tell what waits, since when, and how the last hour ended', async (t) => {
  const { call, as, issue, clock, services } = await open(t);
  const { key } = await issue({ mode: 'live' });
  const create = async () =>
    (await as(key, { method: 'POST', url: '/v1/images', payload: order })).json().data.task_id as string;
  const end = (taskId: string, status: 'succeeded' | 'failed', error: object | null) =>
    services.database.write('test', (trx) =>
      trx.run(
        trx.builder
          .updateTable('tasks')
          .set({
            status,
            step: 'final',
            next_at: null,
            completed_at: clock.now(),
            error_json: error === null ? null : JSON.stringify(error),
          })
          .where('id', '=', taskId),
      ),
    );
  await end(await create(), 'failed', { code: 'timeout', message: 'long ago' });
  clock.advance(25 * 3_600_000);
  const failed = await create();
  await end(failed, 'failed', { code: 'upstream_error', message: 'the paper jammed' });
  await end(await create(), 'succeeded', null);
  const oldest = new Date(clock.now()).toISOString();
  await create();
  clock.advance(5_000);
  await create();
  const [engine] = (await call('GET', 'engines')).json().data.items;
  assert.deepEqual(engine.queues, [
    {
      engine: 'sketch',
      mode: 'live',
      waiting: 2,
      in_flight: 0,
      oldest_waiting_at: oldest,
      last_hour: { succeeded: 1, failed: 1, canceled: 0 },
    },
  ]);
  const { items, since, truncated } = (await call('GET', 'failures')).json().data;
  assert.deepEqual([since, truncated], [new Date(clock.now() - 24 * 3_600_000).toISOString(), false]);
  assert.deepEqual(
    items.map((one: { task_id: string; engine: string; message: string }) => [one.task_id, one.engine, one.message]),
    [[failed, 'sketch', 'the paper jammed']],
  );

  await end(await create(), 'failed', { code: 'upstream_error', message: 'the paper jammed again' });
  const truncatedAt = async (limit: number) => {
    const { data } = (await call('GET', `failures?limit=${limit}`)).json();
    return [data.items.length, data.truncated];
  };
  assert.deepEqual(
    [await truncatedAt(2), await truncatedAt(1)],
    [
      [2, false],
      [1, true],
    ],
  );
});

test('the hours of the last day count live orders by the hour of their order and by engine, with their mean time', async (t) => {
  const { call, as, issue, clock, services } = await open(t);
  const { key } = await issue({ mode: 'live' });
  const other = await issue({ mode: 'test' });
  const create = async (of = key) =>
    (await as(of, { method: 'POST', url: '/v1/images', payload: order })).json().data.task_id as string;
  const end = (taskId: string, status: 'succeeded' | 'failed' | 'canceled', seconds: number) => {
    const ends = {
      status,
      step: 'final',
      next_at: null,
      started_at: clock.now(),
      completed_at: clock.now() + seconds * 1_000,
    } as const;
    const set = services.database.write('test', (trx) =>
      trx.run(trx.builder.updateTable('tasks').set(ends).where('id', '=', taskId)),
    );
    return set;
  };
  await end(await create(), 'failed', 1);
  clock.advance(26 * 3_600_000 - (clock.now() % 3_600_000));
  const first = new Date(clock.now()).toISOString();
  await end(await create(), 'succeeded', 2);
  await end(await create(), 'succeeded', 5);
  await end(await create(), 'failed', 9);
  await end(await create(other.key), 'failed', 9);
  clock.advance(3_600_000);
  await end(await create(), 'canceled', 9);
  await create();
  const read = async () => (await call('GET', 'engines/hours')).json().data.items;
  const second = new Date(clock.now()).toISOString();
  const hours = [
    { hour: first, engine: 'sketch', orders: 3, succeeded: 2, failed: 1, canceled: 0, seconds: 3.5 },
    { hour: second, engine: 'sketch', orders: 2, succeeded: 0, failed: 0, canceled: 1, seconds: null },
  ];
  assert.deepEqual(await read(), hours);
  await create();
  assert.deepEqual(await read(), hours, 'counted again after a minute');
  clock.advance(60_000);
  assert.equal((await read())[1].orders, 3);
});

test('failures of one cause are one entry with the latest order as an example, whatever ids and numbers they name', async (t) => {
  const { call, as, issue, clock, services } = await open(t);
  const { key } = await issue({ mode: 'live' });
  const fail = async (code: string, message: string) => {
    clock.advance(1_000);
    const { task_id: taskId } = (await as(key, { method: 'POST', url: '/v1/images', payload: order })).json().data;
    await services.database.write('test', (trx) =>
      trx.run(
        trx.builder
          .updateTable('tasks')
          .set({
            step: 'final',
            status: 'failed',
            next_at: null,
            completed_at: clock.now(),
            error_json: JSON.stringify({ code, message }),
          })
          .where('id', '=', taskId),
      ),
    );
    return taskId;
  };
  await fail('content_policy', 'The prompt "a fox" is refused.');
  await fail('upstream_error', 'Job 17 ended with 502, see https://example.com/a');
  const latest = await fail('upstream_error', 'Job b-18 ended with 502, see https://example.com/b');
  await fail('timeout', 'No result after 3.5 minutes.');
  await fail('upstream_error', 'Job 19 ended with 503, see https://example.com/c');
  await fail('content_policy', 'The prompt "a wolf" is refused.');
  const last = await fail('content_policy', 'The prompt "" is refused.');
  const { items, truncated } = (await call('GET', 'failures/causes')).json().data;
  const seen = (items as { orders: number; code: string; cause: string; example: { task_id: string } }[]).map(
    ({ orders, code, cause, example }) => [orders, code, cause, example.task_id],
  );
  assert.equal(truncated, false);
  assert.deepEqual(seen.slice(0, 2), [
    [3, 'content_policy', 'The prompt … is refused.', last],
    [2, 'upstream_error', 'Job … ended with 502, see …', latest],
  ]);
  assert.deepEqual(
    seen.slice(2).map(([, , cause]) => cause),
    ['Job … ended with 503, see …', 'No result after … minutes.'],
  );
  assert.deepEqual((await call('GET', 'failures/causes?mode=test')).json().data.items, []);
});

test('a day with more failures than are searched says how far the search went, and other orders do not count', async (t) => {
  const { call, as, issue, clock, services } = await open(t);
  const { key } = await issue({ mode: 'live' });
  const { task_id: taskId } = (await as(key, { method: 'POST', url: '/v1/images', payload: order })).json().data;
  const failed = (count: number, everyMs: number) =>
    multiplyTask(services.database, taskId, {
      count,
      everyMs,
      change: () => ({
        status: 'failed',
        step: 'final',
        next_at: null,
        error_json: JSON.stringify({ code: 'timeout', message: 'too long' }),
      }),
    });
  const dayAgo = () => new Date(clock.now() - 86_400_000).toISOString();
  await multiplyTask(services.database, taskId, { count: 20_001, everyMs: 1 });
  await failed(1, 500);
  const whole = (await call('GET', 'failures?limit=1')).json().data;
  assert.deepEqual([whole.items.length, whole.truncated, whole.since], [1, false, dayAgo()]);
  await failed(20_000, 1_000);
  const { since, truncated } = (await call('GET', 'failures?limit=1')).json().data;
  assert.equal(truncated, true);
  assert.equal(since, new Date(clock.now() - 20_000 * 1_000).toISOString());
});

test("the operator's list of webhook deliveries can be of one mode", async (t) => {
  const { call, issue, services, clock } = await open(t);
  const keys = [await issue({ mode: 'live' }), await issue({ mode: 'test' })];
  await services.database.write('test', async (trx) => {
    for (const [place, { key_id: keyId }] of keys.entries()) {
      const delivery = deliveryOf(`whd_${place}`, keyId, clock.now());
      const mode = place === 0 ? 'live' : 'test';
      await trx.run(trx.builder.insertInto('webhook_deliveries').values({ ...delivery, mode }));
    }
  });
  const idsOf = async (query: string) => {
    const { data } = (await call('GET', `webhooks/deliveries${query}`)).json();
    return data.items.map((one: { delivery_id: string }) => one.delivery_id);
  };
  assert.deepEqual(await idsOf('?mode=live'), ['whd_0']);
  assert.deepEqual(await idsOf('?mode=test'), ['whd_1']);
  assert.deepEqual(await idsOf(''), ['whd_1', 'whd_0']);
  assert.deepEqual(refused(await call('GET', 'webhooks/deliveries?mode=root')), [400, 'invalid_request']);
});

test('a model that is not live says why', async (t) => {
  const { call, services } = await open(t);
  const reasons = async () => {
    const items = (await call('GET', 'models')).json().data.items as {
      model_id: string;
      routes: { engine: string; configured: boolean }[];
      not_live_because: string | null;
    }[];
    return new Map(items.map((item) => [item.model_id, item]));
  };
  assert.equal((await reasons()).get('sketch')?.not_live_because, null);
  await call('POST', 'models/sketch/pause', { reason: 'new brushes' });
  assert.match((await reasons()).get('sketch')?.not_live_because ?? '', /paused: new brushes/);
  await call('POST', 'models/sketch/resume');
  await call('POST', 'engines/sketch/pause');
  assert.match((await reasons()).get('sketch')?.not_live_because ?? '', /engine sketch is paused/);
  assert.equal(services.catalog().models.length, (await reasons()).size);
});

/** A delivery that has failed. */
function deliveryOf(id: string, keyId: string, createdAt: number) {
  const row = { id, account_id: 'acme', api_key_id: keyId, task_id: 'img_1', type: 'task.failed' as const };
  const sent = { url: 'https://shop.test/hook', status: 'failed' as const };
  return { ...row, ...sent, created_at: createdAt, delivered_at: null, mode: 'live' as const };
}

test('an operator sees every webhook delivery and sends one again, on record', async (t) => {
  const { call, services, clock } = await open(t);
  await services.database.write('test', (trx) =>
    trx.run(trx.builder.insertInto('webhook_deliveries').values(deliveryOf('whd_1', 'key_1', clock.now()))),
  );
  const list = async (query: string) => (await call('GET', `webhooks/deliveries${query}`)).json().data.items;
  assert.equal((await list(''))[0].status, 'failed');
  assert.deepEqual([(await list('?account_id=other')).length, (await list('?status=failed')).length], [0, 1]);
  assert.equal((await call('POST', 'webhooks/deliveries/whd_1/redeliver')).json().data.status, 'pending');
  assert.deepEqual(refused(await call('POST', 'webhooks/deliveries/whd_2/redeliver')), [404, 'not_found']);
  assert.equal((await call('GET', 'audit?limit=1')).json().data.items[0].act, 'webhook.redeliver');
});

test('only an admin key sees the reasons of readiness and the metrics', async (t) => {
  const readiness = async () => ({
    ready: false,
    orders: false,
    reads: false,
    files: false,
    checks: [{ name: 'storage', ok: false, detail: 'disk full' }],
  });
  const { app, as, admin, issue } = await open(t, { readiness });
  const { key } = await issue();
  const bare = await app.inject('/readyz');
  assert.deepEqual(refused(bare), [503, 'service_unavailable']);
  assert.doesNotMatch(bare.body, /disk full/);
  assert.match((await as(admin.key, { url: '/readyz' })).body, /disk full/);
  assert.deepEqual(refused(await as(key, { url: '/metrics' })), [403, 'forbidden']);
  assert.match(
    (await as(admin.key, { url: '/metrics' })).body,
    /darkroom_http_request_duration_seconds_count\{method="GET",route="\/readyz",status="503"\} 2/,
  );
});
