import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import type { LightMyRequestResponse } from 'fastify';
import { openTestHttp } from '../../test/helpers/http.ts';

const refused = (response: LightMyRequestResponse) => [response.statusCode, response.json().error.code];
const json = { 'content-type': 'application/json' };

test('an unknown path and a wrong method are reported before authentication', async (t) => {
  const { app } = await openTestHttp(t, { maxBodyBytes: 1_000 });
  assert.deepEqual(refused(await app.inject('/nowhere')), [404, 'not_found']);
  assert.deepEqual(refused(await app.inject('/v1/nowhere')), [404, 'not_found']);
  assert.deepEqual(refused(await app.inject('/v1/prices/')), [404, 'not_found']);
  const text = { method: 'POST', url: '/v1/nowhere', headers: { 'content-type': 'text/plain' }, payload: 'x' } as const;
  assert.deepEqual(refused(await app.inject(text)), [404, 'not_found']);
  const large = { method: 'POST', url: '/v1/nowhere', headers: json, payload: `"${'a'.repeat(2_000)}"` } as const;
  assert.deepEqual(refused(await app.inject(large)), [404, 'not_found']);
  for (const [method, url, allow] of [
    ['PUT', '/v1/images', 'GET, HEAD, POST'],
    ['PATCH', '/v1/images/img_1', 'DELETE, GET, HEAD'],
    ['GET', '/v1/prices', 'POST'],
    ['PUT', '/v1/images/actions', 'POST'],
    ['POST', '/files/a/b', 'GET, HEAD'],
    ['DELETE', '/v1/catalog', 'GET, HEAD'],
  ] as const) {
    const response = await app.inject({ method, url });
    assert.deepEqual(refused(response), [405, 'method_not_allowed'], url);
    assert.equal(response.headers.allow, allow, url);
  }
});

test('every route under /v1 but the catalog asks for a key, and every admin route for an admin key', async (t) => {
  const { app, as, issue } = await openTestHttp(t);
  const test = await issue();
  const admin = await issue({ mode: 'admin' });
  const document = (await app.inject('/openapi.json')).json();
  const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x')] as const),
  );
  let asked = 0;
  for (const [method, url] of operations) {
    const request = { method: method as 'GET', url };
    if (url === '/v1/catalog' || !/^\/(v1|admin)\//.test(url)) continue;
    asked++;
    const nobody = await app.inject(request);
    assert.equal(nobody.statusCode, 401, `${method} ${url}`);
    assert.equal(nobody.headers['www-authenticate'], 'Bearer');
    if (method === 'HEAD') continue;
    const wrong = await as(url.startsWith('/admin') ? test.key : admin.key, request);
    assert.deepEqual(refused(wrong), [403, 'forbidden'], `${method} ${url}`);
  }
  assert.ok(asked > 30, `${asked} operations`);
});

test('the catalog ignores keys, also invalid ones', async (t) => {
  const { app, as } = await openTestHttp(t);
  assert.equal((await app.inject('/v1/catalog')).statusCode, 200);
  assert.equal((await as('stale', { url: '/v1/catalog' })).statusCode, 200);
});

test('type, size and JSON of a body are judged in this order, after the key and before the fields', async (t) => {
  const { app, as, issue } = await openTestHttp(t, { maxBodyBytes: 1000 });
  const { key } = await issue();
  const post = (payload: string | Buffer, headers: Record<string, string> = json) =>
    as(key, { method: 'POST', url: '/v1/images', payload, headers }).then(refused);
  assert.deepEqual(refused(await app.inject({ method: 'POST', url: '/v1/images', payload: '{', headers: json })), [
    401,
    'missing_api_key',
  ]);
  assert.deepEqual(await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), [
    415,
    'unsupported_media_type',
  ]);
  assert.deepEqual(await post('{}', { 'content-type': 'text/plain' }), [415, 'unsupported_media_type']);
  assert.deepEqual(await post('{}', { 'content-type': ';;;' }), [415, 'unsupported_media_type']);
  assert.deepEqual(await post(`"${'a'.repeat(1000)}"`), [413, 'body_too_large']);
  assert.deepEqual(await post(''), [400, 'invalid_json']);
  assert.deepEqual(refused(await as(key, { method: 'POST', url: '/v1/images' })), [400, 'invalid_json']);
  assert.deepEqual(await post('{"model_id":'), [400, 'invalid_json']);
  assert.deepEqual(await post(Buffer.from([0x7b, 0xff, 0x7d])), [400, 'invalid_json']);
  for (const payload of ['null', '[]', '"text"', '1', 'true'])
    assert.deepEqual(await post(payload), [400, 'invalid_request']);
  assert.deepEqual(await post('{}', { 'content-type': 'application/json; charset=utf-8' }), [400, 'invalid_request']);
});

test('prototype names are refused like any unknown field, and change no prototype', async (t) => {
  const { as, issue } = await openTestHttp(t);
  const { key } = await issue();
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
    const payload = `{"model_id":"sketch","prompt":"fox","${name}":{"polluted":true}}`;
    const response = await as(key, { method: 'POST', url: '/v1/images', payload, headers: json });
    assert.deepEqual(refused(response), [400, 'unsupported_field'], name);
    assert.equal(response.json().error.param, name);
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('internal errors leak no internal text', async (t) => {
  const { app } = await openTestHttp(t, {
    readiness: async () => {
      throw new Error('password=hunter2 at /secret/path');
    },
  });
  const response = await app.inject('/readyz');
  assert.deepEqual(refused(response), [500, 'internal_error']);
  assert.doesNotMatch(response.body, /hunter2|\/secret/);
});

test("the caller's request id comes back if it is sane, else one of ours", async (t) => {
  const { app } = await openTestHttp(t);
  const ask = async (id: string) =>
    (await app.inject({ url: '/healthz', headers: { 'x-request-id': id } })).headers['x-request-id'];
  assert.equal(await ask('trace-1/2:3'), 'trace-1/2:3');
  for (const odd of ['', 'a b', 'a\tb', 'é', 'x'.repeat(129), '"><script>'])
    assert.match(String(await ask(odd)), /^req_[0-9a-z]{22,}$/);
});

test('an order that may have been placed is called retryable only with an Idempotency-Key, by which a retry finds it', async (t) => {
  const { as, issue, services } = await openTestHttp(t);
  const { key } = await issue();
  const lost = new ServiceError('service_unavailable', 'the connection was lost', { outcomeUnknown: true });
  Object.assign(services.database, { write: () => Promise.reject(lost) });
  for (const [headers, retryable] of [
    [{}, false],
    [{ 'idempotency-key': 'fox' }, true],
  ] as const) {
    const payload = { model_id: 'sketch', prompt: 'a fox' };
    const response = await as(key, { method: 'POST', url: '/v1/images', headers, payload });
    assert.deepEqual([...refused(response), response.json().error.retryable], [503, 'service_unavailable', retryable]);
  }
});

test('a rate-limited key is told when to retry, and creates and reads are counted separately', async (t) => {
  const { as, issue, clock } = await openTestHttp(t);
  const { key } = await issue({ createsPerMinute: 1, readsPerMinute: 2 });
  const create = () => as(key, { method: 'POST', url: '/v1/images', payload: { model_id: 'sketch', prompt: 'fox' } });
  const read = () => as(key, { url: '/v1/images' });
  assert.equal((await create()).statusCode, 201);
  const refusal = await create();
  assert.deepEqual(refused(refusal), [429, 'rate_limited']);
  const { 'retry-after': retryAfter, ratelimit, 'ratelimit-policy': policy } = refusal.headers;
  assert.deepEqual([retryAfter, ratelimit, policy], ['60', '"creates";r=0;t=60', '"creates";q=1;w=60']);
  assert.deepEqual([(await read()).statusCode, (await read()).statusCode], [200, 200]);
  assert.deepEqual(refused(await read()), [429, 'rate_limited']);
  clock.advance(60_000);
  assert.equal((await create()).statusCode, 201);
});

test('while the service stops, orders are refused and reads are answered', async (t) => {
  const { app, as, issue } = await openTestHttp(t, { isLeaving: () => true, isStopping: () => true });
  const { key } = await issue();
  const refusal = await as(key, { method: 'POST', url: '/v1/images', payload: { model_id: 'sketch', prompt: 'fox' } });
  assert.deepEqual(refused(refusal), [503, 'shutting_down']);
  assert.ok(Number(refusal.headers['retry-after']) >= 1);
  assert.equal((await as(key, { url: '/v1/images' })).statusCode, 200);
  assert.deepEqual(refused(await app.inject('/readyz')), [503, 'shutting_down']);
  assert.equal((await app.inject('/healthz')).statusCode, 200);
});

test('pages of allowed origins can call the API and read its errors', async (t) => {
  const { app } = await openTestHttp(t, { corsOrigins: ['https://shop.example'] });
  const origin = 'https://shop.example';
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/v1/images',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers['access-control-allow-origin'], origin);
  assert.match(String(preflight.headers['access-control-allow-headers']), /idempotency-key/i);
  for (const url of ['/v1/images', '/nowhere']) {
    const failure = await app.inject({ url, headers: { origin } });
    assert.equal(failure.headers['access-control-allow-origin'], origin);
    assert.match(String(failure.headers['access-control-expose-headers']), /x-request-id/);
  }
  const stranger = await app.inject({ url: '/healthz', headers: { origin: 'https://other.example' } });
  assert.equal(stranger.headers['access-control-allow-origin'], undefined);
});

test('where the public address has a path, requests come with it or without', async (t) => {
  const { app } = await openTestHttp(t, { publicUrl: 'https://example.com/darkroom' });
  assert.equal((await app.inject('/darkroom/healthz')).statusCode, 200);
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  assert.equal((await app.inject('/darkroomhealthz')).statusCode, 404);
});
