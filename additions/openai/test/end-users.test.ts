import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { type RouteAnswer, startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** End users of OpenAI clients: their limits, and tokens of their own as the client's key. */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, issueKey, make, url } = service;
const MOUNT = '/openai/v1';
const GENERATIONS = `${MOUNT}/images/generations` as const;
/** Costs 0.005. */
const IMAGE = { model: 'sketch', prompt: 'a fox', size: '512x512' };
const FILM = { model: 'sketch-motion', prompt: 'a fox runs', seconds: '1', size: '640x360' };
const told = ({ status, error }: Pick<RouteAnswer<'POST', typeof GENERATIONS>, 'status' | 'error'>) => [
  status,
  error?.code,
  error?.param,
];
const newKey = async () => (await issueKey({ mode: 'test' })).key;

async function tokenFor(key: string, endUser: string, wish: object = {}): Promise<string> {
  return (await call(key, 'POST', '/v1/client_tokens', { end_user: endUser, ...wish })).data.token;
}

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}${MOUNT}`, dangerouslyAllowBrowser: true });

test("a user's limit refuses a call of several images as a whole, and names the limit and when it resets", async () => {
  const key = await newKey();
  await call(key, 'PUT', '/v1/end_users/ada', { limits: { day: '0.015' } });
  const client = clientOf(key);
  const two = await client.images.generate({ ...IMAGE, size: '512x512', user: 'ada', n: 2 });
  assert.equal(two.data?.length, 2);
  const refused = await client.images
    .generate({ ...IMAGE, size: '512x512', user: 'ada', n: 2 })
    .catch((error) => error);
  assert.ok(refused instanceof OpenAI.APIError);
  assert.deepEqual(
    [refused.status, refused.code, refused.type, refused.param],
    [402, 'end_user_limit_reached', 'insufficient_quota', 'user'],
  );
  const { windows } = (await call(key, 'GET', '/v1/end_users/ada')).data;
  const { details } = refused.error as { readonly details: unknown };
  assert.deepEqual(details, [
    {
      end_user: 'ada',
      limit: '0.015',
      window: 'day',
      needed: '0.01',
      available: '0.005',
      resets_at: windows.day.resets_at,
      currency: 'USD',
    },
  ]);
  assert.ok(refused.message.includes(windows.day.resets_at), refused.message);
  assert.equal(refused.headers?.get('x-should-retry'), 'false');
  const last = await client.images.generate({ ...IMAGE, size: '512x512', user: 'ada' });
  assert.equal(last.data?.length, 1);
  const { data } = await call(key, 'GET', '/v1/images?end_user=ada');
  assert.equal(data.items.length, 3);
  const other = await call(key, 'POST', GENERATIONS, { ...IMAGE, safety_identifier: 'bob' });
  assert.equal(other.status, 200);
});

test('a video and an order that is collected later count against the limit as well', async () => {
  const key = await newKey();
  await call(key, 'PUT', '/v1/end_users/ada', { limits: { total: '0.00' } });
  for (const [path, body] of [
    ['/videos', FILM],
    ['/images/generations/async', IMAGE],
  ] as const) {
    const refused = await call(key, 'POST', `${MOUNT}${path}`, { ...body, user: 'ada' });
    assert.deepEqual(told(refused), [402, 'end_user_limit_reached', 'user']);
    assert.equal(refused.error.details[0].resets_at, null);
  }
});

test("an OpenAI client with a token as its key orders for the token's end user, within the token's rights", async () => {
  const key = await newKey();
  const token = await tokenFor(key, 'ada', { models: ['sketch*'], max_price: '0.005' });
  const client = clientOf(token);
  const made = await client.images.generate({ ...IMAGE, size: '512x512' });
  assert.equal(made.data?.length, 1);
  const { items } = (await call(key, 'GET', '/v1/images')).data;
  assert.deepEqual([items.length, items[0].end_user], [1, 'ada']);
  const models: string[] = [];
  for await (const { id } of client.models.list()) models.push(id);
  assert.ok(models.length > 0 && models.every((id) => id.startsWith('sketch')), models.join());

  const refusals: [body: object, headers: Record<string, string>, expected: unknown[]][] = [
    [{ user: 'bob' }, {}, [400, 'unsupported_field', 'user']],
    [{ end_user: 'bob' }, {}, [400, 'unsupported_field', 'user']],
    [{ webhook_url: 'https://example.com/' }, {}, [400, 'unsupported_field', 'webhook_url']],
    [{ simulate: { seconds: 1 } }, {}, [400, 'unsupported_field', 'simulate']],
    [{}, { 'darkroom-simulate': 'seconds=1' }, [400, 'unsupported_field', 'simulate']],
    [{ model: 'gpt-image-1' }, {}, [403, 'model_not_allowed', 'model']],
    // max_price is for all images of a call together.
    [{ n: 2 }, {}, [409, 'price_exceeded', 'max_price']],
    [{ n: 2, max_price: '5.00' }, {}, [409, 'price_exceeded', 'max_price']],
  ];
  for (const [change, headers, expected] of refusals)
    assert.deepEqual(told(await call(token, 'POST', GENERATIONS, { ...IMAGE, ...change }, headers)), expected);
  assert.equal((await call(token, 'POST', GENERATIONS, { ...IMAGE, user: 'ada' })).status, 200);
});

test('calls, videos, retries and idempotency keys of other end users do not exist for a token', async () => {
  const key = await newKey();
  const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
  const answer = await call(ada, 'POST', `${MOUNT}/images/generations/async`, IMAGE);
  const { id } = answer.body;
  assert.equal(answer.status, 202);
  for (const path of [`/images/tasks/${id}`, `/images/results/${id}`] as const) {
    assert.equal((await call(ada, 'GET', `${MOUNT}${path}`)).status, 200);
    const { status, body } = await call(bob, 'GET', `${MOUNT}${path}`);
    assert.deepEqual([status, body.error.code], [404, 'task_not_found']);
    assert.match(body.error.message, new RegExp(`no result '${id}'`), 'it does not name the task');
    // The key sees all calls of its end users.
    assert.equal((await call(key, 'GET', `${MOUNT}${path}`)).status, 200);
  }
  const video = (await call(ada, 'POST', `${MOUNT}/videos`, FILM)).body;
  await call(key, 'GET', `/v1/videos/${video.id}`, undefined, { prefer: 'wait=60' });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/content', undefined],
    ['POST', '/remix', { prompt: 'at night' }],
    ['DELETE', '', undefined],
  ] as const) {
    const refused = await call(bob, method, `${MOUNT}/videos/${video.id}${path}`, body);
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'task_not_found'], `${method} ${path}`);
  }
  const listed = async (token: string) => (await call(token, 'GET', `${MOUNT}/videos`)).body.data.map((one) => one.id);
  assert.deepEqual([await listed(ada), await listed(bob), await listed(key)], [[video.id], [], [video.id]]);

  const tasksOf = async (token: string, headers: Record<string, string>) =>
    (await call(token, 'POST', GENERATIONS, IMAGE, headers)).headers.get('darkroom-task-ids');
  for (const headers of [{ 'idempotency-key': 'the same' }, { 'x-stainless-retry-count': '1' }]) {
    const ids = [];
    for (const token of [ada, bob, key]) ids.push(await tasksOf(token, headers));
    assert.equal(new Set(ids).size, 3, JSON.stringify(headers));
  }
  // Its own retry finds the call whose answer may have been lost.
  const first = await tasksOf(bob, { 'x-stainless-retry-count': '0' });
  const count = (await call(bob, 'GET', '/v1/images')).data.items.length;
  assert.ok((await tasksOf(bob, { 'x-stainless-retry-count': '2' })) !== null && first !== null);
  assert.equal((await call(bob, 'GET', '/v1/images')).data.items.length, count);

  const edit = {
    model: 'sketch',
    prompt: 'at night',
    image: `task:${(await make(ada, '/v1/images', { model_id: 'sketch', prompt: 'x' })).task_id}`,
  };
  const refused = await call(bob, 'POST', `${MOUNT}/images/edits`, edit);
  assert.deepEqual(told(refused).slice(0, 2), [400, 'invalid_reference']);
  assert.equal((await call(ada, 'POST', `${MOUNT}/images/edits`, edit)).status, 200);
  const erased = await call(ada, 'DELETE', `${MOUNT}/videos/${video.id}`);
  assert.equal(erased.body.deleted, true);
  assert.equal((await call(bob, 'DELETE', `${MOUNT}/videos/${video.id}`)).status, 404);
});

test('pages of other origins may call the mount with a token, only those that the token names', async () => {
  const origin = 'https://shop.example';
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  const preflight = await call(null, 'OPTIONS', GENERATIONS, undefined, asked);
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*']);
  const token = await tokenFor(await newKey(), 'ada', { origins: [origin] });
  const answer = await call(token, 'POST', GENERATIONS, IMAGE, { origin });
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
  const elsewhere = await call(token, 'POST', GENERATIONS, IMAGE, { origin: 'https://other.example' });
  assert.deepEqual(told(elsewhere), [403, 'forbidden', 'Origin']);
  const unknown = await call(`${token}x`, 'POST', GENERATIONS, IMAGE);
  assert.deepEqual([unknown.status, unknown.body.error.type], [401, 'authentication_error']);
});

test('an edit waits for an image that is still being made, if it says so', async () => {
  const key = await newKey();
  const slow = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', simulate: { seconds: 1 } };
  const { task_id: id } = (await call(key, 'POST', '/v1/images', slow)).data;
  const edit = { model: 'sketch', prompt: 'at night', image: `task:${id}` };
  const refused = await call(key, 'POST', `${MOUNT}/images/edits`, edit);
  assert.equal(refused.body.error.code, 'parent_not_ready');
  const { status, headers } = await call(key, 'POST', `${MOUNT}/images/edits`, {
    ...edit,
    n: 2,
    wait_for_parent: true,
  });
  assert.deepEqual([status, headers.get('darkroom-task-ids')?.split(', ').length], [200, 2]);
});
