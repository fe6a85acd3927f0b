import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys } = service;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const film = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { seconds: 600 } };

test('every endpoint of the interface answers its success status in the envelope of four fields', async () => {
  const image = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  assert.equal(image.status, 'succeeded', JSON.stringify(image.error));
  const video = (await call(keys.test, 'POST', '/v1/videos', film)).data;
  const follow = { parent_task_id: image.task_id, action: 'upscale', index: 1 };
  const endpoints: [method: string, path: string, key: string | null, status: number, body?: object][] = [
    ['GET', '/v1/catalog', null, 200],
    ['GET', '/v1/models', keys.test, 200],
    ['POST', '/v1/prices', keys.test, 200, { model_id: 'sketch' }],
    ['POST', '/v1/images', keys.test, 201, order],
    ['GET', '/v1/images', keys.test, 200],
    ['GET', `/v1/images/${image.task_id}`, keys.test, 200],
    ['POST', '/v1/images/actions', keys.test, 201, follow],
    ['POST', '/v1/videos', keys.test, 201, film],
    ['GET', '/v1/videos', keys.test, 200],
    ['GET', `/v1/videos/${video.task_id}`, keys.test, 200],
  ];
  for (const [method, path, key, status, body] of endpoints) {
    const answer = await call(key, method, path, body);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    const envelope = answer.body as { readonly code: number; readonly message: string; readonly timestamp: string };
    assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'message', 'timestamp'], `${method} ${path}`);
    assert.equal(envelope.code, status);
    assert.equal(envelope.message, 'ok');
    assert.match(envelope.timestamp, TIME);
    assert.ok(Math.abs(Date.now() - Date.parse(envelope.timestamp)) < 60_000);
    assert.match(String(answer.headers.get('content-type')), /^application\/json/);
    assert.equal(typeof answer.data, 'object');
  }
});

test('other endpoints use the same envelope, except files, health, metrics and the document', async () => {
  for (const path of ['/v1/account', '/v1/account/usage', '/v1/account/ledger', '/v1/models/sketch'] as const) {
    const { body } = await call(keys.test, 'GET', path);
    assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'message', 'timestamp'], path);
  }
  for (const path of ['/admin/v1/accounts', '/admin/v1/keys', '/admin/v1/engines', '/admin/v1/audit'] as const) {
    const { body } = await call(keys.admin, 'GET', path);
    assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'message', 'timestamp'], path);
  }
  for (const [path, key] of [
    ['/healthz', null],
    ['/readyz', null],
    ['/metrics', keys.admin],
    ['/openapi.json', null],
  ] as const) {
    const answer = await call(key, 'GET', path);
    assert.equal(answer.status, 200, path);
    assert.ok(typeof answer.body === 'string' || !('data' in answer.body), path);
  }
});

test('no cache answers for the service where data are private or change', async () => {
  const pending = (await call(keys.test, 'POST', '/v1/videos', film)).data;
  for (const [path, key] of [
    ['/v1/account', keys.test],
    ['/v1/images', keys.test],
    ['/v1/account/ledger', keys.test],
    [`/v1/videos/${pending.task_id}`, keys.test],
    ['/admin/v1/accounts', keys.admin],
    ['/admin/v1/keys', keys.admin],
    ['/admin/v1/engines', keys.admin],
    ['/readyz', null],
  ] as const) {
    const { status, headers } = await call(key, 'GET', path);
    assert.equal(status, 200, path);
    assert.match(headers.get('cache-control') ?? '', /no-store|no-cache/, path);
  }
  const made = await call(keys.admin, 'POST', '/admin/v1/keys', { account_id: 'default', mode: 'test', name: 'one' });
  assert.deepEqual([made.status, made.headers.get('cache-control')], [201, 'no-store']);
});

test('a create names its task in data.task_id, and the task is not finished by then', async () => {
  const created = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { seconds: 600 } });
  assert.equal(typeof created.data.task_id, 'string');
  assert.match(created.data.status, /^(queued|processing)$/);
  const found = await call(keys.test, 'GET', `/v1/images/${created.data.task_id}`);
  assert.equal(found.data.task_id, created.data.task_id);
  assert.match((await call(keys.test, 'POST', '/v1/videos', film)).data.task_id, /^vid_/);
});

test('a failure carries the error and the time, and nothing else', async () => {
  const failure = await call(keys.test, 'POST', '/v1/images', { ...order, nonsense: 1, prompt: 5 });
  assert.deepEqual(Object.keys(failure.body).sort(), ['error', 'timestamp']);
  assert.match(failure.body.timestamp, TIME);
  const { error } = failure;
  assert.deepEqual(Object.keys(error).sort(), [
    'code',
    'details',
    'docs_url',
    'message',
    'param',
    'request_id',
    'retryable',
    'status',
  ]);
  assert.equal(error.status, failure.status);
  assert.equal(typeof error.message, 'string');
  assert.equal(error.request_id, failure.headers.get('x-request-id'));
  assert.equal(error.docs_url, `${service.url}/docs#error-${error.code}`);
  assert.match((await call(null, 'GET', '/docs')).body, new RegExp(`id="error-${error.code}"`));
});

test('all faults of a body are reported together, the first one at the top', async () => {
  const body = {
    model_id: 'sketch',
    prompt: 5,
    resolution: '9K',
    nonsense: true,
    num_images: 2,
    metadata: { a: 1 },
    end_user: 7,
    max_price: 'much',
  };
  const { error } = await call(keys.test, 'POST', '/v1/images', body);
  const params = error.details.map((fault: { param: string }) => fault.param);
  for (const param of ['prompt', 'resolution', 'nonsense', 'num_images', 'metadata.a', 'end_user', 'max_price'])
    assert.ok(params.includes(param), `${param} is missing in ${params}`);
  for (const fault of error.details) assert.deepEqual(Object.keys(fault).sort(), ['code', 'message', 'param']);
  const { param, code, message } = error.details[0];
  assert.deepEqual([error.param, error.code, error.message], [param, code, message]);
});

test('a single fault is in the details as well', async () => {
  for (const body of [
    { ...order, model_id: 7 },
    { ...order, model_id: 'none' },
    { ...order, resolution: '9K' },
    film,
  ]) {
    const { error } = await call(keys.test, 'POST', '/v1/images', body);
    const { param, code, message } = error;
    assert.deepEqual(error.details, [{ param, code, message }], JSON.stringify(body));
  }
});

test('a message says what was expected and what was found', async () => {
  const field = (await call(keys.test, 'POST', '/v1/images', { ...order, camera: 'pan' })).error;
  assert.match(field.message, /sketch does not accept 'camera'.*prompt.*resolution/s);
  const value = (await call(keys.test, 'POST', '/v1/images', { ...order, resolution: '9K' })).error;
  assert.match(value.message, /0\.5K.*4K.*9K/s);
  const path = (await call(keys.test, 'POST', '/v1/images', { ...film })).error;
  assert.equal(path.code, 'model_not_found');
  assert.match(path.message, /\/v1\/videos/);
  assert.match((await call(keys.test, 'POST', '/v1/videos', order)).error.message, /\/v1\/images/);
});

test("every response carries X-Request-Id: the caller's if it is sane, else one of ours", async () => {
  const ask = async (path: string, id?: string) =>
    (await call(keys.test, 'GET', path, undefined, id === undefined ? {} : { 'x-request-id': id })).headers.get(
      'x-request-id',
    );
  for (const path of ['/v1/catalog', '/v1/images', '/v1/nowhere', '/healthz', '/metrics', '/files/none', '/docs']) {
    assert.equal(await ask(path, 'trace-1/2:3'), 'trace-1/2:3', path);
    assert.match(String(await ask(path)), /^req_[0-9a-z]+$/, path);
    assert.match(String(await ask(path, '<script>')), /^req_/, path);
  }
  assert.notEqual(await ask('/healthz'), await ask('/healthz'));
  const head = await call(null, 'HEAD', '/v1/catalog', undefined, { 'x-request-id': 'head-1' });
  assert.deepEqual([head.status, head.headers.get('x-request-id')], [200, 'head-1']);
  const known = { 'if-none-match': String(head.headers.get('etag')), 'x-request-id': 'known-1' };
  const unchanged = await call(null, 'GET', '/v1/catalog', undefined, known);
  assert.deepEqual([unchanged.status, unchanged.headers.get('x-request-id')], [304, 'known-1']);
  const refused = await call(keys.test, 'POST', '/v1/images', {}, { 'x-request-id': 'mine-7' });
  assert.equal(refused.error.request_id, 'mine-7');
});

test('one output per order: num_images takes 1 and nothing else, in creates and in quotes', async () => {
  for (const path of ['/v1/images', '/v1/prices']) {
    assert.ok((await call(keys.test, 'POST', path, { ...order, num_images: 1 })).status < 300);
    for (const count of [0, 2, -1, 1.5, '1', true, []])
      assert.equal((await call(keys.test, 'POST', path, { ...order, num_images: count })).status, 400, `${count}`);
  }
  assert.equal((await call(keys.test, 'POST', '/v1/videos', { ...film, num_images: 1 })).status, 201);
  assert.equal((await call(keys.test, 'POST', '/v1/videos', { ...film, num_images: 2 })).status, 400);
});

test('the document says version 1.0.0, and there is no other prefix than /v1', async () => {
  assert.equal((await call(null, 'GET', '/openapi.json')).body.info.version, '1.0.0');
  for (const path of ['/v2/catalog', '/catalog', '/v1/v1/catalog'])
    assert.equal((await call(null, 'GET', path)).error.code, 'not_found', path);
});
