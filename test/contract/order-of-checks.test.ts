import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { openRaw, sendRaw } from '../helpers/raw-http.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'old-one', status: 'retired', replaced_by: 'sketch' }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_MAX_BODY_MB: '0.01' },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys, issueKey } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const tooLarge = { ...order, prompt: 'x'.repeat(20_000) };
const textPlain = { 'content-type': 'text/plain' };
const create = (body: unknown, key: string | null = keys.test, headers: Record<string, string> = {}) =>
  call(key, 'POST', '/v1/images', body, headers);
const told = ({ status, error }: Pick<Answer, 'status' | 'error'>) => [status, error?.code];

test('an unknown route or method is reported before the key is checked', async () => {
  for (const key of [null, 'dk_live_nonsense', keys.admin]) {
    assert.deepEqual(told(await call(key, 'POST', '/v1/nowhere', tooLarge)), [404, 'not_found']);
    assert.deepEqual(told(await call(key, 'DELETE', '/v1/images', '{')), [405, 'method_not_allowed']);
    assert.deepEqual(told(await call(key, 'GET', '/v1/prices')), [405, 'method_not_allowed']);
  }
});

test('the key is judged before the body: its size, its type, its JSON and its fields', async () => {
  for (const [body, headers] of [
    [tooLarge, {}],
    ['x', textPlain],
    ['{"model_id":', {}],
    [{ nonsense: 1 }, {}],
  ] as const) {
    assert.deepEqual(told(await create(body, null, headers)), [401, 'missing_api_key']);
    assert.deepEqual(told(await create(body, 'dk_test_mistyped', headers)), [401, 'invalid_api_key']);
    assert.deepEqual(told(await create(body, keys.admin, headers)), [403, 'forbidden']);
  }
});

test('every endpoint of the interface but the catalog asks for a key', async () => {
  for (const [method, path] of [
    ['GET', '/v1/models'],
    ['POST', '/v1/prices'],
    ['POST', '/v1/images'],
    ['GET', '/v1/images'],
    ['GET', '/v1/images/img_1'],
    ['POST', '/v1/images/actions'],
    ['POST', '/v1/videos'],
    ['GET', '/v1/videos'],
    ['GET', '/v1/videos/vid_1'],
    ['GET', '/v1/account'],
    ['POST', '/v1/files'],
  ] as const) {
    const answer = await call(null, method, path);
    assert.deepEqual(told(answer), [401, 'missing_api_key'], path);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  }
  assert.equal((await call(null, 'GET', '/v1/catalog')).status, 200);
});

test('a caller without a key is refused before it has sent its body', async () => {
  const connection = await openRaw(service.url);
  connection.write(
    'POST /v1/images HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
  );
  const answer = await connection.answer;
  assert.deepEqual(told(answer), [401, 'missing_api_key']);
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
});

test('the rate is judged before the body, and a refused body counts', async () => {
  const { key } = await issueKey({ mode: 'test', createsPerMinute: 1 });
  assert.deepEqual(told(await create('{"model_id":', key)), [400, 'invalid_json']);
  for (const [body, headers] of [
    [tooLarge, {}],
    ['x', textPlain],
    ['{', {}],
    [order, {}],
  ] as const)
    assert.deepEqual(told(await create(body, key, headers)), [429, 'rate_limited']);
});

test('size, type and JSON are judged before the Idempotency-Key, and that before the fields', async () => {
  const once = { 'idempotency-key': 'order-1' };
  assert.equal((await create(order, keys.test, once)).status, 201);
  assert.deepEqual(told(await create(tooLarge, keys.test, once)), [413, 'body_too_large']);
  assert.deepEqual(told(await create('x', keys.test, { ...once, ...textPlain })), [415, 'unsupported_media_type']);
  assert.deepEqual(told(await create('{', keys.test, once)), [400, 'invalid_json']);
  for (const body of [{ model_id: 7 }, { model_id: 'none' }, { ...order, nonsense: 1 }, { model_id: 'old-one' }])
    assert.deepEqual(told(await create(body, keys.test, once)), [422, 'idempotency_key_reused']);
});

test('shape and model are judged before money, all faults at once', async () => {
  const poor = await issueKey({ mode: 'live', accountId: await service.createAccount(0), spendLimits: { day: 1 } });
  assert.deepEqual(told(await create({ ...order, nonsense: 1 }, poor.key)), [400, 'unsupported_field']);
  assert.deepEqual(told(await create({ model_id: 'none' }, poor.key)), [404, 'model_not_found']);
  assert.deepEqual(told(await create({ ...order, model_id: 'old-one' }, poor.key)), [410, 'model_retired']);
  assert.deepEqual(told(await create({ ...order, image_urls: ['http://127.0.0.1/a.png'] }, poor.key)), [
    400,
    'invalid_reference',
  ]);
  assert.deepEqual(told(await create({ ...order, max_price: '0.001' }, poor.key)), [409, 'price_exceeded']);
  assert.equal((await create(order, poor.key)).status, 402);
  const both = await create({ ...order, nonsense: 1, resolution: '9K' }, poor.key);
  assert.deepEqual(both.error.details.map((fault: { code: string }) => fault.code).sort(), [
    'unsupported_field',
    'unsupported_value',
  ]);
});

test('a refused order has held nothing and made no task', async () => {
  const { key } = await issueKey({ mode: 'live', accountId: await service.createAccount(0) });
  assert.equal((await create(order, key)).status, 402);
  assert.equal((await create({ ...order, max_price: 0.001 }, key)).status, 409);
  assert.deepEqual((await call(key, 'GET', '/v1/images')).data.items, []);
  assert.deepEqual((await call(key, 'GET', '/v1/account/ledger')).data.items, []);
});

test('no value is coerced: another type is refused, and the field is named', async () => {
  const wrong: [field: string, value: unknown][] = [
    ['prompt', 7],
    ['prompt', true],
    ['prompt', ['a fox']],
    ['prompt', { text: 'a fox' }],
    ['resolution', 1],
    ['seed', '7'],
    ['seed', 1.5],
    ['seed', true],
    ['num_images', '1'],
    ['image_urls', 'https://example.com/a.png'],
    ['image_urls', [1]],
    ['metadata', 'a=b'],
    ['metadata', { a: 1 }],
    ['metadata', { a: null }],
    ['end_user', 5],
    ['simulate', 'timeout'],
    ['simulate', { seconds: '3' }],
    ['max_price', true],
  ];
  for (const [field, value] of wrong) {
    const { status, error } = await create({ ...order, [field]: value });
    assert.equal(status, 400, `${field}: ${JSON.stringify(value)}`);
    assert.equal(String(error.param).split(/[.[]/)[0], field, JSON.stringify(error));
  }
  for (const modelId of [7, true, null, {}, ['sketch']])
    assert.deepEqual(told(await create({ ...order, model_id: modelId })), [400, 'invalid_request']);
});

test('query strings and duration are the exceptions: their numbers may be written as text', async () => {
  assert.equal((await call(keys.test, 'GET', '/v1/images?limit=2&offset=0')).data.limit, 2);
  for (const query of ['limit=two', 'limit=1.5', 'limit=', 'limit=1e1', 'offset=-1', 'limit=5&limit=6'])
    assert.equal((await call(keys.test, 'GET', `/v1/images?${query}`)).status, 400, query);
  const quote = async (duration: unknown) =>
    await call(keys.test, 'POST', '/v1/prices', { model_id: 'sketch-motion', duration });
  assert.deepEqual((await quote('4')).data, (await quote(4)).data);
  assert.equal((await quote('4.0')).data.input.duration, 4);
  for (const duration of ['four', '', true, [4]]) assert.equal((await quote(duration)).status, 400, `${duration}`);
});

test('NUL and ill-formed Unicode are refused everywhere', async () => {
  for (const bad of ['\\u0000', '\\ud800', '\\udc00 x']) {
    for (const body of [
      `{"model_id":"sketch","prompt":"a${bad}"}`,
      `{"model_id":"sketch${bad}","prompt":"a"}`,
      `{"model_id":"sketch","prompt":"a","metadata":{"k":"${bad}"}}`,
      `{"model_id":"sketch","prompt":"a","metadata":{"${bad}":"v"}}`,
      `{"model_id":"sketch","prompt":"a","end_user":"${bad}"}`,
      `{"model_id":"sketch","prompt":"a","${bad}":1}`,
      `{"model_id":"sketch","prompt":"a","image_urls":["https://example.com/${bad}"]}`,
    ])
      assert.deepEqual(told(await create(body)), [400, 'invalid_request'], body);
    const action = `{"parent_task_id":"${bad}","action":"upscale"}`;
    assert.equal((await call(keys.test, 'POST', '/v1/images/actions', action)).status, 400);
    assert.equal((await call(keys.test, 'POST', '/v1/prices', `{"model_id":"${bad}"}`)).status, 400);
  }
  for (const path of ['/v1/images/%00', '/v1/images/%ff', '/v1/images?end_user=%00', '/v1/images?end_user=%ed%a0%80'])
    assert.deepEqual(told(await call(keys.test, 'GET', path)), [400, 'invalid_request'], path);
  const raw = await sendRaw(service.url, `GET /v1/images/\xff HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.deepEqual(told(raw), [400, 'invalid_request']);
  const well = await create({ ...order, prompt: 'ein Fuchs 🦊', metadata: { ключ: '值' }, end_user: 'Zoë' });
  assert.deepEqual(
    [well.data.input.prompt, well.data.metadata, well.data.end_user],
    ['ein Fuchs 🦊', { ключ: '值' }, 'Zoë'],
  );
});

test('a body must be an object of JSON, and says so whatever else it is', async () => {
  for (const body of ['null', '[]', '"text"', '7', 'true'])
    assert.deepEqual(told(await create(body)), [400, 'invalid_request'], body);
  for (const body of ['', '{', '{"a":1}}', '{a:1}', "{'a':1}", '{"a":NaN}', '\u0000'])
    assert.deepEqual(told(await create(body)), [400, 'invalid_json'], body);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])
    assert.deepEqual(told(await create('{}', keys.test, { 'content-type': type })), [415, 'unsupported_media_type']);
  const charset = { 'content-type': 'application/json; charset=utf-8' };
  assert.equal((await create(order, keys.test, charset)).status, 201);
});

test('unknown query parameters are refused, and the right one is named', async () => {
  assert.match((await call(keys.test, 'GET', '/v1/images?page=2')).error.message, /offset/);
  assert.match((await call(keys.test, 'GET', '/v1/videos?offset=2')).error.message, /page/);
  for (const path of ['/v1/images?colour=red', '/v1/models?vendor=x', '/v1/catalog?vendor=x', '/v1/account?x=1'])
    assert.deepEqual(told(await call(keys.test, 'GET', path)), [400, 'unsupported_field'], path);
  assert.deepEqual(told(await call(keys.test, 'POST', '/v1/images?model_id=sketch', order)), [
    400,
    'unsupported_field',
  ]);
});
