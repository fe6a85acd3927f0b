import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createGatedEngine } from '../helpers/gated-engine.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * An end user that attacks with a client token, and orders that race for the rest of a limit. Held orders have a prompt
 * that begins with `hold`.
 */
const engine = createGatedEngine();
const service = await startTestService(wholeFile, { service: { engines: [engine] } });
const { call, issueKey, keys, make, url } = service;
const told = ({ status, error }: Answer) => [status, error?.code, error?.param];
const newKey = async (wish: Partial<Parameters<typeof issueKey>[0]> = {}) => await issueKey({ mode: 'test', ...wish });
/** Costs 0.005. */
const FOX = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const PRICE = 0.005;
const FILM = { model_id: 'sketch-motion', duration: 1, resolution: '360p' };

async function tokenFor(key: string, endUser: string, wish: object = {}): Promise<string> {
  const answer = await call(key, 'POST', '/v1/client_tokens', { end_user: endUser, ...wish });
  assert.equal(answer.status, 201, JSON.stringify(answer.error));
  return answer.data.token;
}

const batchOf = (count: number, endUser: string) => ({
  orders: [
    {
      operation: 'images',
      body: { ...FOX, end_user: endUser },
      vary: { seed: Array.from({ length: count }, (_, i) => i) },
    },
  ],
});

test('orders of every kind that race for the rest of a limit never exceed it together, and none too many is refused', async () => {
  const { key } = await newKey();
  const user = 'racer';
  const limit = 20 * PRICE;
  await call(key, 'PUT', `/v1/end_users/${user}`, { limits: { total: limit.toFixed(3), day: '9.00' } });
  const token = await tokenFor(key, user);
  const parent = await make(key, '/v1/images', { ...FOX });
  const chained = { ...FOX, image_urls: [`task:${parent.task_id}`], end_user: user };
  const mount = { model: 'sketch', prompt: 'a fox', size: '512x512' };
  type Send = () => Promise<Pick<Answer, 'status' | 'error'>>;
  const tries: [orders: number, Send][] = Array.from(
    { length: 6 },
    () =>
      [
        [1, () => call(key, 'POST', '/v1/images', { ...FOX, end_user: user })],
        [1, () => call(token, 'POST', '/v1/images', FOX)],
        [1, () => call(key, 'POST', '/v1/images', chained)],
        [3, () => call(key, 'POST', '/v1/batches', batchOf(3, user))],
        [2, () => call(key, 'POST', '/openai/v1/images/generations/async', { ...mount, n: 2, user })],
        [2, () => call(token, 'POST', '/openai/v1/images/generations/async', { ...mount, n: 2 })],
      ] as [number, Send][],
  ).flat();
  const answers = await Promise.all(tries.map(async ([orders, send]) => ({ orders, answer: await send() })));
  let accepted = 0;
  for (const { orders, answer } of answers) {
    if (answer.status < 300) accepted += orders;
    else assert.deepEqual([answer.status, answer.error.code], [402, 'end_user_limit_reached']);
  }
  assert.ok(accepted <= 20, `${accepted} orders were accepted`);
  const spent = async () => {
    const { charged, held } = (await call(key, 'GET', `/v1/end_users/${user}`)).data.windows.total;
    return Math.round((Number(charged) + Number(held)) / PRICE);
  };
  assert.equal(await spent(), accepted);
  // What is left is exactly what can still be ordered, one by one.
  for (let left = 20 - accepted; left > 0; left--)
    assert.equal((await call(token, 'POST', '/v1/images', FOX)).status, 201, `${left} are left`);
  assert.deepEqual(told(await call(token, 'POST', '/v1/images', FOX)).slice(0, 2), [402, 'end_user_limit_reached']);
  assert.equal(await spent(), 20);
});

test('no field, header or query of a token makes an order, a price or a list that of another end user', async () => {
  const { key } = await newKey();
  await call(key, 'PUT', '/v1/end_users/ada', { limits: { total: '0.005' } });
  const ada = await tokenFor(key, 'ada');
  const refused = [400, 'unsupported_field', 'end_user'];
  const grid = await make(ada, '/v1/images', FOX);
  const action = { parent_task_id: grid.task_id, action: 'reroll' };
  for (const [path, body] of [
    ['/v1/images', FOX],
    ['/v1/videos', { ...FILM, prompt: 'a fox' }],
    ['/v1/prices', FOX],
  ] as const)
    for (const other of ['bob', 'Ada', 'ada ', 'a\u0301da', ''])
      assert.deepEqual(told(await call(ada, 'POST', path, { ...body, end_user: other })), refused, `${path} ${other}`);
  // Everything that may be sent leaves the end user, and so its limit, as it is.
  const told402 = [402, 'end_user_limit_reached', 'end_user'];
  for (const [path, body] of [
    ['/v1/images', { ...FOX, metadata: { end_user: 'bob' } }],
    ['/v1/images', { ...FOX, end_user: 'ada' }],
    ['/v1/images', { ...FOX, end_user: null }],
    ['/v1/images', { ...FOX, wait_for_parent: true }],
    ['/v1/images', { ...FOX, image_urls: [`task:${grid.task_id}`] }],
    ['/v1/images?end_user=bob', FOX],
  ] as const) {
    const answer = await call(ada, 'POST', path, body, { 'end-user': 'bob', 'darkroom-conversation': 'bob' });
    if (path.includes('?')) assert.equal(answer.status, 400);
    else assert.deepEqual(told(answer), told402, JSON.stringify(body));
  }
  assert.ok([400, 402].includes((await call(ada, 'POST', '/v1/images/actions', action)).status));
  for (const query of ['end_user=bob', 'end_user=Ada', 'end_user=ada&end_user=bob'])
    assert.ok([400, 403].includes((await call(ada, 'GET', `/v1/images?${query}`)).status), query);
});

test('unfinished tasks, batches and calls of others can be neither waited for, used, found nor told from ids that never were', async () => {
  const { key } = await newKey();
  const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
  const order = { ...FOX, prompt: 'hold a secret' };
  const { task_id: id } = (await call(ada, 'POST', '/v1/images', order)).data;
  const waiting = (
    await call(ada, 'POST', '/v1/videos', { ...FILM, image_urls: [`task:${id}`], wait_for_parent: true })
  ).data;
  assert.deepEqual(waiting.waiting_for, [id]);
  const never = `img_${'0'.repeat(26)}`;
  const withoutIds = (text: string) => text.replaceAll(/img_[0-9a-z]{26}/g, 'img_…');
  const same = async (send: (taskId: string) => Promise<Answer>) => {
    const [foreign, unknown] = [await send(id), await send(never)];
    assert.ok(foreign.status >= 400, JSON.stringify(foreign.body));
    assert.deepEqual(
      [foreign.status, foreign.error.code, withoutIds(foreign.error.message)],
      [unknown.status, unknown.error.code, withoutIds(unknown.error.message)],
    );
  };
  for (const wait of [false, true]) {
    for (const source of [
      (one: string) => `task:${one}`,
      (one: string) => `task:${one}#2`,
      (one: string) => `${url}/v1/images/${one}/content`,
    ])
      await same((one) =>
        call(bob, 'POST', '/v1/images', { ...FOX, image_urls: [source(one)], wait_for_parent: wait }),
      );
    await same((one) =>
      call(bob, 'POST', '/v1/images/actions', { parent_task_id: one, action: 'reroll', wait_for_parent: wait }),
    );
    await same((one) =>
      call(bob, 'POST', '/v1/prices', { ...FOX, image_urls: [`task:${one}`], wait_for_parent: wait }),
    );
  }
  await same((one) => call(bob, 'GET', `/v1/images/${one}`, undefined, { prefer: 'wait=1', 'if-none-match': '*' }));
  await same((one) => call(bob, 'GET', `/v1/images/${one}/events`, undefined, { 'last-event-id': '1' }));
  await same((one) => call(bob, 'GET', `/v1/videos/${one}`));
  for (const query of [`parent_task_id=${id}`, `after=${id}`, 'status=queued,processing'])
    assert.deepEqual((await call(bob, 'GET', `/v1/images?${query}`)).data.items, [], query);
  engine.letEnd('hold a secret');

  const batch = (await call(key, 'POST', '/v1/batches', batchOf(1, 'ada'))).data.batch_id;
  await call(key, 'GET', `/v1/batches/${batch}/events`);
  assert.deepEqual((await call(bob, 'GET', `/v1/images?batch_id=${batch}`)).data.items, []);
  assert.equal((await call(ada, 'GET', `/v1/images?batch_id=${batch}`)).data.items.length, 1);
});

test('a token calls nothing else, however the address or the method is written', async () => {
  const { key } = await newKey({ accountView: true });
  const token = await tokenFor(key, 'ada');
  const closed: [method: string, path: string, body?: object][] = [
    ['GET', '/v1/account'],
    ['GET', '/v1/account/usage'],
    ['GET', '/v1/account/ledger'],
    ['GET', '/v1/account/webhooks'],
    ['PUT', '/v1/account/webhooks', { url: null }],
    ['GET', '/v1/account/webhooks/secret'],
    ['POST', '/v1/account/webhooks/secret/rotate'],
    ['GET', '/v1/account/webhooks/deliveries'],
    ['GET', '/v1/end_users'],
    ['GET', '/v1/end_users/ada'],
    ['PUT', '/v1/end_users/ada', { limits: {} }],
    ['DELETE', '/v1/end_users/ada'],
    ['POST', '/v1/client_tokens', { end_user: 'bob' }],
    ['POST', '/v1/batches', batchOf(1, 'ada')],
    ['POST', '/v1/batches/prices', batchOf(1, 'ada')],
    ['GET', '/v1/batches'],
    ['GET', `/v1/batches/bat_${'0'.repeat(26)}/results`],
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ['GET', '/admin/v1/keys'],
  ];
  for (const [method, path, body] of closed)
    assert.deepEqual([path, (await call(token, method, path, body)).status], [path, 403]);
  for (const path of [
    '/v1/images/../account',
    '/v1/images/%2e%2e/account',
    '/v1/images/..%2faccount',
    '//v1/account',
    '/V1/account',
    '/v1/account/',
    '/v1/account?x=/v1/images',
    '/v1//account',
    '/openai/v1/../../v1/account',
  ]) {
    const status = await rawStatus(path, { authorization: `Bearer ${token}`, 'x-http-method-override': 'GET' });
    assert.ok([400, 403, 404].includes(status), `${path} ${status}`);
  }
  assert.equal((await call(token, 'HEAD', '/v1/account')).status, 403);
});

test('a token cannot have more rights than the key that issued it, and actions need the right to their model', async () => {
  const { key } = await newKey({ models: ['sketch'] });
  const wide = await tokenFor(key, 'ada', { models: ['*'], max_price: '999.00', rpm: 1_000_000 });
  const order = { model_id: 'sketch-grid', prompt: 'a castle' };
  assert.deepEqual(told(await call(wide, 'POST', '/v1/images', order)), [403, 'model_not_allowed', 'model_id']);
  assert.deepEqual(told(await call(wide, 'POST', '/v1/prices', order)), [403, 'model_not_allowed', 'model_id']);
  assert.equal((await call(wide, 'GET', '/v1/models/sketch-grid')).status, 403);

  const whole = (await newKey()).key;
  const narrow = await tokenFor(whole, 'ada', { models: ['sketch'], max_price: '0.005' });
  const grid = await make(whole, '/v1/images', { ...order, end_user: 'ada' });
  for (const action of [
    { action: 'upscale', index: 1 },
    { action: 'reroll' },
    { action: 'reroll', wait_for_parent: true },
  ])
    assert.deepEqual(
      told(await call(narrow, 'POST', '/v1/images/actions', { parent_task_id: grid.task_id, ...action })).slice(0, 2),
      [403, 'model_not_allowed'],
    );
  const tile = { ...FOX, resolution: '1K', image_urls: [`task:${grid.task_id}#1`], wait_for_parent: true };
  assert.deepEqual(told(await call(narrow, 'POST', '/v1/images', tile)).slice(0, 2), [409, 'price_exceeded']);
});

test('a stream and a wait that a token opened end with it, and with its key', async () => {
  const { key, key_id: keyId } = await newKey();
  const held = { ...FOX, prompt: 'hold for ever' };
  for (const end of ['expires', 'revoked'] as const) {
    const token = await tokenFor(key, 'ada', { expires_in: end === 'expires' ? 2 : 600 });
    const { task_id: id } = (await call(token, 'POST', '/v1/images', held)).data;
    const stream = await fetch(`${url}/v1/images/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(stream.status, 200);
    if (end === 'revoked') await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
    // Read to its end, although the task goes on.
    assert.match(await stream.text(), /^id: (\d+)\nevent: task\ndata: .*"revision":\1,/m);
    const status = await until(
      async () => (await call(token, 'GET', `/v1/images/${id}`)).status,
      (found) => found !== 200,
    );
    assert.equal(status, 401);
  }
});

/** Sends a path as it is: fetch would normalize it. */
async function rawStatus(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
