import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { requestWork } from '../../src/database/work.ts';
import { startService } from '../helpers/additions.ts';
import { createGatedEngine } from '../helpers/gated-engine.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox' };
/** Each service that paints starts a process for it, which takes longer than its test. */
const QUICK = { engines: [createSwiftEngine()] };

test('what is closed answers as if it did not exist, and the rest works', async (t) => {
  const { url, keys, call } = await startTestService(t, {
    env: {
      DARKROOM_WITHOUT:
        'shares, mcp,tags,search,gemini,openai,alerts,local,receipts,origins,provenance,people,request-log,usage,upstream-keys',
    },
    service: QUICK,
  });
  const { test: key, admin } = keys;
  for (const [secret, path] of [
    [key, '/v1/tags'],
    [key, '/v1/shares'],
    [key, '/v1/requests'],
    [key, '/v1/account/usage'],
    [key, '/v1/account/upstream_keys'],
    [admin, '/admin/v1/requests'],
    [key, '/v1/images/img_1/receipt'],
    [key, '/v1/provenance'],
    [null, '/.well-known/jwks.json'],
    [key, '/openai/v1/models'],
    [key, '/gemini/v1/models'],
    [admin, '/admin/v1/alerts'],
    [admin, '/admin/v1/local/models'],
    [null, '/mcp'],
    [null, '/docs/mcp'],
    [null, '/docs/openai'],
  ] as const) {
    const { status, error } = await call(secret, 'GET', path as '/v1/images');
    assert.deepEqual([status, error?.code], [404, 'not_found'], path);
  }
  for (const query of ['tag=a', 'search=a'])
    assert.equal(
      (await call(key, 'GET', `/v1/images?${query}` as '/v1/images')).error.code,
      'unsupported_field',
      query,
    );
  const { body: document } = await call(null, 'GET', '/openapi.json');
  assert.deepEqual(
    Object.keys(document.paths).filter((path) =>
      /tags|shares|alerts|local|receipt|provenance|requests|account\/usage|upstream/.test(path),
    ),
    [],
  );
  const guide = await (await fetch(`${url}/docs`)).text();
  assert.doesNotMatch(guide, /href="docs\/(mcp|openai)/);
  assert.match(guide, /href="docs\/webhooks/);
  assert.equal((await call(key, 'POST', '/v1/images', ORDER)).status, 201);
  for (const path of ['/v1/account', '/v1/account/ledger'] as const)
    assert.equal((await call(key, 'GET', path)).status, 200, path);
});

test('without streams, guide, callbacks, moderation, figures, console, uploads and deletions orders are made, and the document leaves the streams out', async (t) => {
  const { service, keys, call, make } = await startTestService(t, {
    env: {
      DARKROOM_WITHOUT: 'streams,guide,callbacks,moderation,figures,console,uploads,deletions',
    },
    service: QUICK,
  });
  const task = await make(keys.test, '/v1/images', ORDER);
  assert.equal(task.status, 'succeeded');
  const callback = `/callbacks/sketch/${task.task_id}.1.${'A'.repeat(43)}`;
  for (const [method, path] of [
    ['GET', `/v1/images/${task.task_id}/events`],
    ['GET', `/v1/events?tasks=${task.task_id}`],
    ['GET', '/'],
    ['GET', '/docs'],
    ['GET', '/docs/reference/'],
    ['GET', '/clients/'],
    ['GET', '/v1/files/file_1'],
    ['POST', callback],
    ['POST', `/v1/images/${task.task_id}/restore`],
  ] as const)
    assert.equal((await call(keys.test, method, path as '/v1/images')).status, 404, path);
  assert.deepEqual(Object.keys(task.urls), ['self', 'cancel']);
  const { error } = await call(keys.test, 'GET', '/v1/images/img_1');
  assert.deepEqual([error.code, 'docs_url' in error], ['task_not_found', false]);
  const nowhere = await call(keys.test, 'GET', '/v1/nowhere' as '/v1/images');
  assert.equal(nowhere.error.message, 'Nothing exists at /v1/nowhere.');
  const { body: metadata } = await call(null, 'GET', '/.well-known/oauth-protected-resource' as '/v1/images');
  assert.equal('resource_documentation' in metadata, false);
  assert.deepEqual(service.welcome(keys), []);
  const { body: document } = await call(null, 'GET', '/openapi.json');
  assert.deepEqual(
    Object.keys(document.paths).filter((path) => path.endsWith('/events')),
    ['/v1/batches/{batch_id}/events', '/admin/v1/events'],
  );
});

test('without the operations of operators orders are made and health is told, and only other additions have routes of operators', async (t) => {
  const { keys, call, make } = await startTestService(t, { env: { DARKROOM_WITHOUT: 'operator' }, service: QUICK });
  assert.equal((await make(keys.test, '/v1/images', ORDER)).status, 'succeeded');
  for (const path of ['/admin/v1/keys', '/admin/v1/tasks', '/admin/v1/events'] as const)
    assert.equal((await call(keys.admin, 'GET', path)).status, 404, path);
  for (const path of ['/admin/v1/health', '/admin/v1/alerts'] as const)
    assert.equal((await call(keys.admin, 'GET', path)).status, 200, path);
  const { body: document } = await call(null, 'GET', '/openapi.json');
  assert.equal('/admin/v1/keys' in document.paths, false);
});

test('where webhooks are closed, no order or batch may name a receiver, and the default one is not told', async (t) => {
  const { keys, call, make, database } = await startTestService(t, {
    env: { DARKROOM_WITHOUT: 'webhooks' },
    service: QUICK,
  });
  const receiver = { webhook_url: 'https://example.com/hook' };
  const refused = await call(keys.test, 'POST', '/v1/images', { ...ORDER, ...receiver });
  assert.deepEqual([refused.status, refused.error.param], [400, 'webhook_url']);
  const orders = [{ operation: 'images', body: ORDER }];
  const batch = await call(keys.test, 'POST', '/v1/batches', { orders, ...receiver });
  assert.deepEqual([batch.status, batch.error.param], [400, 'webhook_url']);
  await database.write('test', (trx) =>
    trx.run(trx.builder.updateTable('accounts').set({ webhook_url: receiver.webhook_url })),
  );
  const { task_id: id } = await make(keys.test, '/v1/images', ORDER);
  const row = await database.read.first(
    database.read.builder.selectFrom('tasks').select('webhook_url').where('id', '=', id),
  );
  assert.equal(row?.webhook_url, null);
});

test('where input URLs are not fetched, orders may name only files of this service, and one that waits keeps the fetching open', async (t) => {
  const open = await startTestService(t, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' }, service: QUICK });
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close().closeAllConnections());
  const order = { ...ORDER, image_urls: [`http://127.0.0.1:${(silent.address() as AddressInfo).port}/fox.png`] };
  const { task_id: id } = (await open.call(open.keys.test, 'POST', '/v1/images', order)).data;
  await assert.rejects(
    startClosed(t, open, ['references']),
    new RegExp(`cannot be closed now: '${id}' may need input`),
  );
  assert.equal((await open.call(open.keys.test, 'POST', `/v1/images/${id}/cancel`)).status, 200);
  const { url } = await startClosed(t, open, ['references']);
  const send = async (image: string) => {
    const headers = { authorization: `Bearer ${open.keys.test}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...ORDER, image_urls: [image] });
    const answer = await fetch(`${url}/v1/images`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { error: { message: string } | null }).error?.message];
  };
  assert.deepEqual(await send(order.image_urls[0] ?? ''), [
    400,
    'image_urls[0]: expected a data URI or a file of this service, which fetches none from elsewhere.',
  ]);
  const picture = `data:image/png;base64,${Buffer.from(await smallPicture).toString('base64')}`;
  assert.deepEqual(await send(picture), [201, undefined]);
});

test('where orders do not wait for others, one that would have to is refused, and one that waits keeps the chains open', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const { call, keys, make } = open;
  const stuck = (await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'stuck' } })).data
    .task_id;
  const grid = (await make(keys.test, '/v1/images', { ...ORDER, model_id: 'sketch-grid' })).task_id;
  const waiting = { ...ORDER, image_urls: [`task:${stuck}`], wait_for_parent: true };
  const { task_id: id } = (await call(keys.test, 'POST', '/v1/images', waiting)).data;
  await assert.rejects(startClosed(t, open, ['chains']), new RegExp(`cannot be closed now: '${id}' may wait`));
  assert.equal((await call(keys.test, 'POST', `/v1/images/${id}/cancel`)).status, 200);
  const { url } = await startClosed(t, open, ['chains']);
  const send = async (path: string, fields: object) => {
    const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' };
    const body = JSON.stringify(fields);
    const answer = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { error: { code: string } | null }).error?.code];
  };
  assert.deepEqual(await send('images', waiting), [409, 'parent_not_ready']);
  const action = { parent_task_id: stuck, action: 'reroll', wait_for_parent: true };
  assert.deepEqual(await send('images/actions', action), [409, 'parent_not_ready']);
  assert.deepEqual(await send('images', { ...waiting, image_urls: [`task:${grid}#2`] }), [400, 'invalid_reference']);
  const behind = { name: 'b', operation: 'images', body: { ...ORDER, image_urls: ['order:a'] } };
  const orders = [{ name: 'a', operation: 'images', body: ORDER }, behind];
  assert.deepEqual(await send('batches', { orders }), [400, 'invalid_reference']);
  assert.deepEqual(await send('images', { ...waiting, image_urls: [`task:${grid}`] }), [201, undefined]);
});

test('without batches single orders are made, and a batch that has not ended keeps them open', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const { call, keys } = open;
  const parent = { ...ORDER, simulate: { seconds: 3_600 } };
  const { task_id: id } = (await call(keys.test, 'POST', '/v1/images', parent)).data;
  const child = { ...ORDER, image_urls: [`task:${id}`], wait_for_parent: true };
  const placed = await call(keys.test, 'POST', '/v1/batches', { orders: [{ operation: 'images', body: child }] });
  const { batch_id: batch } = placed.data;
  await assert.rejects(startClosed(t, open, ['batches']), new RegExp(`'${batch}' has orders that have not ended`));
  assert.equal((await call(keys.test, 'POST', `/v1/batches/${batch}/cancel`)).status, 200);
  await until(
    async () => (await call(keys.test, 'GET', `/v1/batches/${batch}`)).data.status,
    (status) => status === 'canceled',
  );
  const { url } = await startClosed(t, open, ['batches']);
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' };
  assert.equal((await fetch(`${url}/v1/batches`, { headers })).status, 404);
  const single = await fetch(`${url}/v1/images`, { method: 'POST', headers, body: JSON.stringify(ORDER) });
  assert.equal(single.status, 201);
});

test('a closed addition still loses what belongs to an erased task', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const { call, keys, database, make } = open;
  const ordered = await make(keys.test, '/v1/images', ORDER);
  await call(keys.test, 'PUT', `/v1/images/${ordered.task_id}/tags`, { tags: ['a'] });
  const closed = await startClosed(t, open, ['tags']);
  const headers = { authorization: `Bearer ${keys.test}` };
  const deleted = await fetch(`${closed.url}/v1/images/${ordered.task_id}`, { method: 'DELETE', headers });
  assert.equal(deleted.status, 200);
  assert.deepEqual(await database.read.all(database.read.builder.selectFrom('task_tags').selectAll()), []);
});

test('client tokens that were issued before they were closed let nobody in, and the key works on', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const { token } = (await open.call(open.keys.test, 'POST', '/v1/client_tokens', { end_user: 'ada' })).data;
  const closed = await startClosed(t, open, ['client-tokens']);
  const read = async (secret: string) =>
    (await fetch(`${closed.url}/v1/images`, { headers: { authorization: `Bearer ${secret}` } })).status;
  assert.deepEqual([await read(token), await read(open.keys.test)], [403, 200]);
});

test('limits of end users that were set before they were closed hold on', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  await open.call(open.keys.test, 'PUT', '/v1/end_users/ada', { limits: { total: '0.001' } });
  const closed = await startClosed(t, open, ['end-users']);
  const headers = { authorization: `Bearer ${open.keys.test}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...ORDER, end_user: 'ada' });
  const refused = await fetch(`${closed.url}/v1/images`, { method: 'POST', headers, body });
  assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'end_user_limit_reached');
  assert.equal((await fetch(`${closed.url}/v1/end_users/ada`, { headers })).status, 404);
});

test('the start refuses to close what has open work, and names that do not exist', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const { call, keys, make } = open;
  const ordered = await make(keys.test, '/v1/images', ORDER);
  const { data: share } = await call(keys.test, 'POST', '/v1/shares', { task_id: ordered.task_id });
  await assert.rejects(
    startClosed(t, open, ['shares']),
    /DARKROOM_WITHOUT: 'shares' cannot be closed now: links still/,
  );
  const told = { ...ORDER, simulate: { seconds: 3_600 }, webhook_url: 'https://example.com/hook' };
  const { task_id: id } = (await call(keys.test, 'POST', '/v1/images', told)).data;
  await assert.rejects(startClosed(t, open, ['webhooks']), new RegExp(`a receiver is to be told of '${id}'`));
  await call(keys.test, 'DELETE', `/v1/shares/${share.share_id}`);
  const closed = await startClosed(t, open, ['shares']);
  assert.equal((await fetch(`${closed.url}/v1/shares`)).status, 404);
  await assert.rejects(
    startClosed(t, open, ['share']),
    /there is no addition 'share'\. There are: a1111, alerts, batches, budget-notices, callbacks, chains, client-commands, client-tokens, console, data-rules, deletions, delivery, end-users, engines-command, examples, figures, fleet, gemini, guide, local, local-moderation, mcp, moderation, openai, openrouter, operator, operator-commands, origins, people, privacy, provenance, receipts, references, replicate, request-log, search, shares, streams, tags/,
  );
});

test("upstream keys of accounts are not closed while one is in force, as its orders would go to the operator's engines", async (t) => {
  const { config, call, issueKey } = await startTestService(t, {
    env: { DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
  });
  const { key } = await issueKey({ mode: 'live', accountView: true });
  const path = '/v1/account/upstream_keys/fal';
  assert.equal((await call(key, 'PUT', path, { secret: 'a-secret-of-a-customer' })).status, 200);
  await assert.rejects(
    startClosed(t, { config }, ['upstream-keys']),
    /'upstream-keys' cannot be closed now: the account 'default' has an upstream key/,
  );
  assert.equal((await call(key, 'DELETE', path)).status, 200);
  const closed = await startClosed(t, { config }, ['upstream-keys']);
  assert.equal((await fetch(`${closed.url}/v1/account/upstream_keys`)).status, 404);
});

test('rules about data are not closed while one is in force or an open order has one; without them the field is unknown', async (t) => {
  const engine = createGatedEngine();
  const { config, call, issueKey } = await startTestService(t, { service: { engines: [engine] } });
  const { key } = await issueKey({ mode: 'live', accountView: true });
  const order = { model_id: 'sketch', prompt: 'hold it', size: '128x96', data: { only: ['sketch'] } };
  const path = '/v1/account/data_rules/account';
  assert.equal((await call(key, 'PUT', path, { training: false })).status, 200);
  await assert.rejects(
    startClosed(t, { config }, ['data-rules']),
    /'data-rules' cannot be closed now: the account 'default' has rules about its data/,
  );
  assert.equal((await call(key, 'DELETE', path)).status, 200);
  const { data: task, status } = await call(key, 'POST', '/v1/images', order);
  assert.equal(status, 201);
  await assert.rejects(
    startClosed(t, { config }, ['data-rules']),
    new RegExp(`the open order '${task.task_id}' has a rule about its data`),
  );
  engine.letEnd(order.prompt);
  await until(
    async () => (await call(key, 'GET', `/v1/images/${task.task_id}`)).data,
    ({ status: now }) => now === 'succeeded',
  );
  const closed = await startClosed(t, { config }, ['data-rules']);
  assert.equal((await fetch(`${closed.url}/v1/account/data_rules`)).status, 404);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const refused = await fetch(`${closed.url}/v1/images`, { method: 'POST', headers, body: JSON.stringify(order) });
  assert.equal(refused.status, 400);
});

test('the operations of operators are not closed while an action that was entered for many orders is not done', async (t) => {
  const open = await startTestService(t, { service: QUICK });
  const later = Date.now() + 3_600_000;
  await open.database.write('enter_later', async (trx) =>
    requestWork(trx, { kind: 'deed', subject: 'cancel:img_1', owner: 'ded_1', now: later }),
  );
  await assert.rejects(
    startClosed(t, open, ['operator']),
    /'operator' cannot be closed now: the action 'cancel:img_1' that was entered for many orders is not done yet/,
  );
});

test('moderation is not closed while a moderation service is set, which would then judge no order', async (t) => {
  const open = await startTestService(t, { env: { DARKROOM_MODERATION_URL: 'http://127.0.0.1:9/check' } });
  await assert.rejects(
    startClosed(t, open, ['moderation']),
    /'moderation' cannot be closed now: DARKROOM_MODERATION_URL is set/,
  );
});

test('a command of a closed addition says that it is closed', async () => {
  const { code, stderr } = await runDarkroom(['mcp'], { DARKROOM_WITHOUT: 'mcp' }, tmpdir());
  assert.equal(code, 1);
  assert.match(stderr, /DARKROOM_WITHOUT closes 'mcp'/);
});

/** One more process on the same data, with closed additions. */
async function startClosed(
  t: { after: (close: () => Promise<void>) => void },
  { config }: Pick<TestService, 'config'>,
  without: readonly string[],
) {
  const service = await startService({ ...config, without }, { log: createLog('silent'), ...QUICK });
  t.after(() => service.stop({ now: true }));
  return service;
}
