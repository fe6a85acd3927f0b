import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** `POST /openai/v1/images/generations`: one order for each image, and OpenAI's shapes. */

const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'plain' })]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_OPENAI_MOUNT_ALIASES: 'my-*=sketch,gpt-image-1=plain' },
  service: { engines: [createSwiftEngine()] },
});
const { call, issueKey, keys } = service;
const PATH = '/openai/v1/images/generations';
/** Costs 0.005. */
const ORDER = { model: 'sketch', prompt: 'a fox', size: '512x512' };
const generate = (body: object, key: string | null = keys.test, headers = {}) => call(key, 'POST', PATH, body, headers);
const tasksOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/images')).data.items;
const ledgerOf = async (key: string): Promise<string[]> =>
  (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items.map((entry) => entry.kind);

/** A key of an account of its own. */
async function ownKey(): Promise<string> {
  return (await issueKey({ mode: 'test', accountId: await service.createAccount(null) })).key;
}

/** Width and height of a PNG. */
function sizeOf(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('an image is answered as base64, with its cost, its task and its real size', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const { status, headers, body } = await generate(ORDER, key);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ['created', 'data', 'size', 'output_format']);
  assert.deepEqual([body.size, body.output_format, body.data.length], ['512x512', 'png', 1]);
  assert.deepEqual(sizeOf(body.data[0].b64_json), [512, 512]);
  assert.deepEqual(Object.keys(body.data[0]), ['b64_json']);
  const task = (await tasksOf(key))[0]!;
  assert.equal(headers.get('darkroom-task-ids'), task.task_id);
  assert.equal(headers.get('x-litellm-response-cost'), '0.005');
  assert.equal(headers.get('darkroom-ignored-fields'), null);
  assert.ok(headers.get('x-request-id'));
});

test('response_format url answers a signed address that needs no key', async () => {
  const { body } = await generate({ ...ORDER, response_format: 'url' });
  assert.deepEqual(Object.keys(body.data[0]), ['url']);
  const file = await fetch(body.data[0].url);
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png']);
});

test('without a response_format, models that OpenAI answers with URLs are answered with URLs', async () => {
  for (const [model, response_format, shape] of [
    [undefined, undefined, 'url'],
    [null, null, 'url'],
    ['dall-e-2', undefined, 'url'],
    ['dall-e-3', undefined, 'url'],
    ['dall-e-3', 'b64_json', 'b64_json'],
    ['gpt-image-1', undefined, 'b64_json'],
    ['sketch', undefined, 'b64_json'],
  ]) {
    const { body } = await generate({ prompt: 'a fox', model, response_format });
    assert.deepEqual(Object.keys(body.data[0]), [shape], String(model));
  }
});

test('values that no model could have are refused, each named, and order nothing', async () => {
  const { key } = await issueKey({ mode: 'test' });
  for (const wrong of [
    { size: 'huge' },
    { size: '0x0' },
    { size: 1024 },
    { quality: 'ultra' },
    { quality: ['hd'] },
    { output_format: 'tiff' },
    { background: 'red' },
    { output_compression: 101 },
    { size: 'large', quality: 'best' },
  ]) {
    const { status, error } = await generate({ ...ORDER, ...wrong }, key);
    const name = Object.keys(wrong)[0]!;
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_value', name], JSON.stringify(wrong));
    assert.match(error.message, new RegExp(`^${name}: expected `));
  }
  const film = await call(key, 'POST', '/openai/v1/videos', { model: 'sketch-motion', prompt: 'a fox', size: '4k' });
  assert.deepEqual([film.status, film.error.param], [400, 'size']);
  assert.equal((await tasksOf(key)).length, 0);
});

test('n images are n orders, each held and charged, and answered in one list', async () => {
  const key = await ownKey();
  const { headers, body } = await generate({ ...ORDER, n: 10, response_format: 'url' }, key);
  assert.equal(body.data.length, 10);
  assert.equal(new Set(body.data.map(({ url }) => url)).size, 10);
  assert.equal(headers.get('x-litellm-response-cost'), '0.05');
  assert.equal((await tasksOf(key)).length, 10);
  const kinds = await ledgerOf(key);
  for (const kind of ['hold', 'release', 'charge']) assert.equal(kinds.filter((one) => one === kind).length, 10, kind);
  assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '-0.05');
});

test('n must be a whole number from 1 to 10', async () => {
  for (const n of [0, 11, 1.5, 'two', -1]) {
    const { status, error } = await generate({ ...ORDER, n });
    assert.deepEqual([status, error.param, error.code], [400, 'n', 'invalid_request'], String(n));
  }
});

test('a failed order is an error in the shape of OpenAI, costs nothing and is not sent again', async () => {
  const key = await ownKey();
  for (const [outcome, expected] of [
    ['content_policy', 400],
    ['upstream_error', 422],
    ['timeout', 422],
  ] as const) {
    const { status, headers, body } = await generate({ ...ORDER, simulate: { outcome } }, key);
    assert.equal(status, expected);
    assert.deepEqual(Object.keys(body.error), ['message', 'type', 'code', 'param', 'status']);
    assert.deepEqual(
      [body.error.code, body.error.type, body.error.param, body.error.status],
      [outcome, 'invalid_request_error', null, expected],
    );
    assert.equal(headers.get('x-should-retry'), 'false');
    assert.equal(headers.get('x-litellm-response-cost'), '0.00');
    assert.ok(headers.get('darkroom-task-ids'));
  }
  assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '0.00');
});

test('refusals have the shape of OpenAI with our status beside it, and tell clients whether to retry', async () => {
  for (const [request, expected] of [
    [generate({ ...ORDER, model: 'sktch' }), [404, 'invalid_request_error', 'model_not_found', 'model']],
    [generate({ model: 'sketch' }), [400, 'invalid_request_error', 'missing_prompt', 'prompt']],
    [generate({ ...ORDER, seed: 'x' }), [400, 'invalid_request_error', 'invalid_request', 'seed']],
    [generate({ ...ORDER, max_price: '0.001' }), [409, 'invalid_request_error', 'price_exceeded', 'max_price']],
    [generate(ORDER, null), [401, 'authentication_error', 'missing_api_key', null]],
    [generate(ORDER, keys.admin), [403, 'permission_error', 'forbidden', null]],
    [call(keys.test, 'GET', '/openai/v1/nothing'), [404, 'invalid_request_error', 'not_found', null]],
    [call(keys.test, 'GET', PATH), [405, 'invalid_request_error', 'method_not_allowed', null]],
    [call(keys.test, 'POST', PATH, '{'), [400, 'invalid_request_error', 'invalid_json', null]],
  ] as const) {
    const { status, headers, error } = await request;
    assert.deepEqual([status, error.type, error.code, error.param], [...expected], JSON.stringify(error));
    assert.equal(error.status, status);
    assert.equal(headers.get('x-should-retry'), 'false', error.code);
    assert.ok(headers.get('x-request-id'));
  }
});

test('refusals name the fields and addresses of this interface', async () => {
  const unknown = await generate({ ...ORDER, model: 'nothing-at-all' });
  assert.match(unknown.error.message, / GET \/openai\/v1\/models lists/);
  const film = await generate({ ...ORDER, model: 'sketch-motion' });
  assert.match(film.error.message, / POST \/openai\/v1\/videos\.$/);
  const image = await call(keys.test, 'POST', '/openai/v1/videos', { model: 'sketch', prompt: 'a fox' });
  assert.match(image.error.message, / POST \/openai\/v1\/images\/generations\.$/);
  const seconds = await call(keys.test, 'POST', '/openai/v1/videos', {
    model: 'veo-3.1',
    prompt: 'a fox',
    seconds: '7',
  });
  assert.match(seconds.error.message, /^seconds\b/);
});

test('a wrong base URL is answered with the right one', async () => {
  for (const base of ['', '/v1', '/openai', '/api/v1'])
    for (const path of ['/images/generations', '/images/edits', '/chat/completions']) {
      const { status, error } = await call(keys.test, 'POST', `${base}${path}`, ORDER);
      assert.ok(status === 404 || status === 405, `${base}${path} ${status}`);
      assert.match(error.message, / The base URL of OpenAI clients ends with \/openai\/v1\./, `${base}${path}`);
    }
  const { error } = await call(keys.test, 'POST', '/openai/v1/chat/completions', ORDER);
  assert.doesNotMatch(error.message, /base URL/);
});

test('a rate limit says how long to wait, in milliseconds and at most a minute, and orders nothing', async () => {
  const { key } = await issueKey({ mode: 'test', createsPerMinute: 1 });
  assert.equal((await generate(ORDER, key)).status, 200);
  const { status, headers, error } = await generate(ORDER, key);
  assert.deepEqual([status, error.type, error.code], [429, 'rate_limit_error', 'rate_limited']);
  const wait = Number(headers.get('retry-after-ms'));
  assert.ok(wait > 0 && wait <= 60_000, `${wait}`);
  assert.equal(headers.get('x-should-retry'), null);
  assert.equal((await tasksOf(key)).length, 1);
});

test('unknown fields are ignored and named; values that come near are named too', async () => {
  const { status, headers, body } = await generate({
    ...ORDER,
    model: 'my-model',
    size: '1020x1020',
    quality: 'hd',
    style: 'vivid',
    background: 'auto',
    partial_images: 2,
    'odd name\n': 1,
    user: 'someone',
    seed: 7,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const named = headers.get('darkroom-ignored-fields')?.split(', ').sort();
  assert.deepEqual(named, ['background', 'odd_name_', 'partial_images', 'quality', 'style']);
  const task = (await call(keys.test, 'GET', `/v1/images/${headers.get('darkroom-task-ids')}`)).data;
  assert.deepEqual([task.input.seed, task.end_user, task.model_id], [7, 'someone', 'sketch']);
});

test('names that applications have built in stand for models of the operator or for defaults', async () => {
  for (const [model, expected] of [
    ['gpt-image-1', 'plain'],
    ['my-own', 'sketch'],
    ['dall-e-3', 'gpt-image-2'],
    ['gpt-image-1.5', 'gpt-image-2'],
    ['chatgpt-image-latest', 'gpt-image-2'],
    ['sketch', 'sketch'],
    [undefined, 'plain'],
  ]) {
    const { headers, body } = await generate({ prompt: 'a fox', model, size: 'auto', quality: 'auto' });
    const id = headers.get('darkroom-task-ids');
    assert.ok(id, JSON.stringify(body));
    assert.equal((await call(keys.test, 'GET', `/v1/images/${id}`)).data.model_id, expected, String(model));
  }
});

test('an Idempotency-Key repeats the answer without another order', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const send = (body: object) => generate(body, key, { 'idempotency-key': 'one' });
  const [first, second] = [await send({ ...ORDER, n: 2 }), await send({ ...ORDER, n: 2 })];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.deepEqual(second.body, first.body);
  assert.equal((await tasksOf(key)).length, 2);
  assert.equal((await send({ ...ORDER, n: 3 })).error.code, 'idempotency_key_reused');
});

test('an alias that leads to no model of the catalog stops the start, and every one is named', async (t) => {
  const env = { DARKROOM_OPENAI_MOUNT_ALIASES: 'a=sketsh,b=sketch,c=nothing-like-it' };
  await assert.rejects(startTestService(t, { env }), (error: Error) => {
    assert.match(error.message, /a leads to sketsh, which is no model of the catalog\. Did you mean 'sketch'\?/);
    assert.match(error.message, /c leads to nothing-like-it/);
    assert.doesNotMatch(error.message, /b leads/);
    return true;
  });
});
