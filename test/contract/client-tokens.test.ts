import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Envelope } from '@darkroom-service/contract/schemas';
import sharp from 'sharp';
import { type Answer, type FileAnswer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What a page or an app of an end user may do with a token that the key issued for it. */
const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CORS_ORIGINS: 'https://console.example' },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, issueKey, keys, make, url } = service;
const told = ({ status, error }: Answer) => [status, error?.code, error?.param];
const issue = async (wish: Partial<Parameters<typeof issueKey>[0]> = {}) => await issueKey({ mode: 'test', ...wish });
/** Costs 0.005. */
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

async function tokenFor(key: string, endUser: string, wish: object = {}): Promise<string> {
  const answer = await call(key, 'POST', '/v1/client_tokens', { end_user: endUser, ...wish });
  assert.equal(answer.status, 201, JSON.stringify(answer.error));
  return answer.data.token;
}

test('a token orders for its end user, and the key sees the task', async () => {
  const { key } = await issue();
  const answer = await call(key, 'POST', '/v1/client_tokens', { end_user: 'ada', expires_in: 60 });
  assert.equal(answer.data.expires_at, new Date(clock.now() + 60_000).toISOString());
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const task = await make(answer.data.token, '/v1/images', order);
  assert.deepEqual([task.status, task.end_user], ['succeeded', 'ada']);
  assert.equal((await call(key, 'GET', `/v1/images/${task.task_id}`)).status, 200);
  assert.equal((await call(answer.data.token, 'GET', `/v1/images/${task.task_id}/content`)).status, 200);
});

test('tasks, files, references and idempotency keys of other end users do not exist for it', async () => {
  const { key } = await issue();
  const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
  const task = await make(ada, '/v1/images', order);
  const plain = await make(key, '/v1/images', order);
  for (const { task_id: id } of [task, plain]) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['POST', '/restore'],
      ['GET', '/content'],
      ['GET', '/events'],
    ] as const)
      assert.deepEqual(told(await call(bob, method, `/v1/images/${id}${path}`)).slice(0, 2), [404, 'task_not_found']);
    assert.deepEqual(told(await call(bob, 'GET', `/v1/events?tasks=${id}`)).slice(0, 2), [404, 'task_not_found']);
    for (const source of [`task:${id}`, `${url}/v1/images/${id}/content`, task.outputs[0].url]) {
      const refused = await call(bob, 'POST', '/v1/images', { ...order, image_urls: [source] });
      assert.deepEqual(told(refused), [400, 'invalid_reference', 'image_urls[0]']);
    }
    const action = { parent_task_id: id, action: 'upscale', index: 1 };
    assert.deepEqual(told(await call(bob, 'POST', '/v1/images/actions', action)).slice(0, 2), [404, 'task_not_found']);
  }
  assert.equal((await call(ada, 'POST', '/v1/images', { ...order, image_urls: [`task:${task.task_id}`] })).status, 201);
  const listed = async (token: string) =>
    (await call(token, 'GET', '/v1/images')).data.items.map((one) => one.end_user);
  assert.deepEqual([await listed(ada), await listed(bob)], [['ada', 'ada'], []]);
  assert.deepEqual(told(await call(bob, 'GET', '/v1/images?end_user=ada')), [403, 'forbidden', 'end_user']);

  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  const upload = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'image/png' };
    const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(picture) });
    return ((await response.json()) as Envelope<FileAnswer>).data.file_id;
  };
  const [adas, keys] = [await upload(ada), await upload(key)];
  for (const id of [adas, keys]) {
    for (const method of ['GET', 'DELETE'])
      assert.deepEqual(told(await call(bob, method, `/v1/files/${id}`)).slice(0, 2), [404, 'not_found']);
    const refused = await call(bob, 'POST', '/v1/images', { ...order, image_urls: [`upload:${id}`] });
    assert.deepEqual(told(refused), [400, 'invalid_reference', 'image_urls[0]']);
  }
  assert.equal((await call(ada, 'POST', '/v1/images', { ...order, image_urls: [`upload:${adas}`] })).status, 201);
  assert.equal((await call(key, 'GET', `/v1/files/${adas}`)).status, 200);

  const headers = { 'idempotency-key': 'the same' };
  const ids = [];
  for (const credential of [ada, bob, key, ada])
    ids.push((await call(credential, 'POST', '/v1/images', order, headers)).data.task_id);
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[0], ids[3]);
});

test('a repeated order of a deleted task is answered as deleted', async () => {
  const token = await tokenFor((await issue()).key, 'ada');
  const headers = { 'idempotency-key': 'once', prefer: 'wait=60' };
  const { data } = await call(token, 'POST', '/v1/images', order, headers);
  assert.equal((await call(token, 'DELETE', `/v1/images/${data.task_id}`)).status, 200);
  const repeated = await call(token, 'POST', '/v1/images', order, headers);
  assert.deepEqual([repeated.status, repeated.data.task_id], [201, data.task_id]);
  assert.ok(repeated.data.deleted_at !== undefined);
});

test('webhook_url, simulate, another end_user, other models and dearer orders are refused by name', async () => {
  const token = await tokenFor((await issue()).key, 'ada', { models: ['sketch'], max_price: '0.005' });
  const refusals: [body: object, headers: Record<string, string>, expected: unknown[]][] = [
    [{ webhook_url: 'https://example.com/' }, {}, [400, 'unsupported_field', 'webhook_url']],
    [{ simulate: { seconds: 1 } }, {}, [400, 'unsupported_field', 'simulate']],
    [{}, { 'darkroom-simulate': 'seconds=1' }, [400, 'unsupported_field', 'simulate']],
    [{ end_user: 'bob' }, {}, [400, 'unsupported_field', 'end_user']],
    [{ model_id: 'sketch-grid' }, {}, [403, 'model_not_allowed', 'model_id']],
    [{ resolution: '1K' }, {}, [409, 'price_exceeded', 'max_price']],
    [{ resolution: '1K', max_price: '5.00' }, {}, [409, 'price_exceeded', 'max_price']],
    [{ max_price: '0.001' }, {}, [409, 'price_exceeded', 'max_price']],
  ];
  for (const [change, headers, expected] of refusals)
    assert.deepEqual(told(await call(token, 'POST', '/v1/images', { ...order, ...change }, headers)), expected);
  assert.equal((await call(token, 'POST', '/v1/images', { ...order, end_user: 'ada' })).status, 201);
  const models = (await call(token, 'GET', '/v1/models')).data.items;
  assert.deepEqual(
    models.map(({ model_id: id }) => id),
    ['sketch'],
  );
});

test('rpm counts the orders of one end user, and reads of end users do not count together', async () => {
  const { key } = await issue({ readsPerMinute: 2 });
  const [ada, bob] = [await tokenFor(key, 'ada', { rpm: 1 }), await tokenFor(key, 'bob', { rpm: 1 })];
  assert.equal((await call(ada, 'POST', '/v1/images', order)).status, 201);
  const again = await call(await tokenForSame(), 'POST', '/v1/images', order);
  assert.deepEqual(told(again).slice(0, 2), [429, 'rate_limited']);
  assert.match(again.error.message, /This client token can send 1 creates per minute/);
  assert.equal((await call(bob, 'POST', '/v1/images', order)).status, 201);
  for (const token of [ada, bob])
    for (const status of [200, 200, 429]) assert.equal((await call(token, 'GET', '/v1/images')).status, status);

  async function tokenForSame(): Promise<string> {
    clock.advance(60_000);
    const fresh = await tokenFor(key, 'ada', { rpm: 1 });
    assert.equal((await call(ada, 'POST', '/v1/images', order)).status, 201);
    return fresh;
  }
});

test('a limit of the end user holds for its tokens', async () => {
  const { key } = await issue();
  await call(key, 'PUT', '/v1/end_users/ada', { limits: { total: '0.005' } });
  const token = await tokenFor(key, 'ada');
  assert.equal((await call(token, 'POST', '/v1/images', order)).status, 201);
  const refused = await call(token, 'POST', '/v1/images', order);
  assert.deepEqual(told(refused).slice(0, 2), [402, 'end_user_limit_reached']);
  assert.match(refused.body.error.message, /Ask the provider of this app for a higher limit\.$/);
});

test('a token does not learn what its key and its account have left, which others spend', async () => {
  const { data: account } = await call(keys.admin, 'POST', '/admin/v1/accounts', {
    name: 'shop',
    credit_limit: '0.01',
  });
  const wish = { mode: 'live', accountId: account.account_id } as const;
  const spendLimits = { day: null, month: null, total: 8_000 };
  for (const [{ key }, code] of [
    [await issue({ ...wish, spendLimits }), 'spend_limit_reached'],
    [await issue(wish), 'insufficient_balance'],
  ] as const) {
    const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
    assert.equal((await call(ada, 'POST', '/v1/images', order)).status, 201);
    const { status, error } = await call(bob, 'POST', '/v1/images', order);
    assert.deepEqual([status, error.code, error.details], [402, code, []]);
    assert.equal(error.message, 'This costs 0.005 USD, which this app cannot spend now. Tell its provider.');
  }
});

test('a token ends at its time, with its key, and with the secret that issued it', async () => {
  const { key, key_id: keyId } = await issue();
  const short = await tokenFor(key, 'ada', { expires_in: 5 });
  const token = await tokenFor(key, 'ada');
  assert.equal((await call(short, 'GET', '/v1/images')).status, 200);
  clock.advance(5_000);
  assert.deepEqual(told(await call(short, 'GET', '/v1/images')).slice(0, 2), [401, 'expired_api_key']);
  const rotated = await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/rotate`, { grace_seconds: 60 });
  assert.equal((await call(token, 'GET', '/v1/images')).status, 200);
  const next = await tokenFor(rotated.data.key, 'ada');
  clock.advance(60_000);
  assert.equal((await call(token, 'GET', '/v1/images')).status, 401);
  assert.equal((await call(next, 'GET', '/v1/images')).status, 200);
  await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
  assert.deepEqual(told(await call(next, 'GET', '/v1/images')).slice(0, 2), [401, 'revoked_api_key']);
});

test('a changed, cut or foreign token is refused', async () => {
  const { key } = await issue();
  const token = await tokenFor(key, 'ada');
  const [head = '', signature = ''] = token.split('.');
  const payload = JSON.parse(Buffer.from(head.slice('dk_client_'.length), 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...payload, grant: { ...payload.grant, endUser: 'bob' } }));
  const wrong = [
    `dk_client_${forged.toString('base64url')}.${signature}`,
    token.slice(0, -1),
    `${head}.${'A'.repeat(43)}`,
    'dk_client_x.y',
    'dk_client_',
  ];
  for (const one of wrong)
    assert.deepEqual(told(await call(one, 'GET', '/v1/images')).slice(0, 2), [401, 'invalid_api_key'], one);
  for (const [body, param] of [
    [{}, 'end_user'],
    [{ end_user: 'ada', expires_in: 3_601 }, 'expires_in'],
    [{ end_user: 'ada', origins: ['shop.example'] }, 'origins[0]'],
  ] as const)
    assert.deepEqual(told(await call(key, 'POST', '/v1/client_tokens', body)), [400, 'invalid_request', param]);
});

test('pages of any origin get a preflight under /v1, and the answers to tokens of their origin', async () => {
  const origin = 'https://shop.example';
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  for (const path of ['/v1/images', '/v1/images/img_1/cancel']) {
    const preflight = await call(null, 'OPTIONS', path, undefined, asked);
    assert.deepEqual(
      [preflight.status, ...['origin', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`))],
      [204, '*', 'authorization'],
    );
  }
  assert.equal(
    (await call(null, 'OPTIONS', '/admin/v1/keys', undefined, asked)).headers.get('access-control-allow-origin'),
    null,
  );
  const { key } = await issue();
  const token = await tokenFor(key, 'ada', { origins: [origin] });
  const answer = await call(token, 'GET', '/v1/images', undefined, { origin });
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
  assert.equal((await call(token, 'GET', '/v1/images')).status, 200);
  const elsewhere = await call(token, 'GET', '/v1/images', undefined, { origin: 'https://other.example' });
  assert.deepEqual(told(elsewhere), [403, 'forbidden', 'Origin']);
  assert.equal(
    (await call(key, 'GET', '/v1/images', undefined, { origin })).headers.get('access-control-allow-origin'),
    null,
  );
});
