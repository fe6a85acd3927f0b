import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const port = await freePort();
/** With settings that have nothing to do with each other. */
const { url, call, keys } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_UNAVAILABLE: 'hide',
    DARKROOM_CORS_ORIGINS: 'https://shop.example',
    DARKROOM_PUBLIC_URL: 'https://pictures.example.com/darkroom',
    DARKROOM_METRICS_PORT: String(port),
  },
});

test('the public catalog can leave out what cannot be ordered live', async () => {
  const { items } = (await call(null, 'GET', '/v1/catalog')).data;
  const tools = ['enlarge', 'join', 'last-frame'];
  assert.deepEqual(items.map((entry) => entry.model_id).sort(), [...tools, 'sketch', 'sketch-grid', 'sketch-motion']);
  assert.ok(items.every((entry) => entry.availability.live));
  assert.ok((await call(keys.test, 'GET', '/v1/models')).data.items.length > 50);
});

test('engines that are not named take no live orders; test keys keep the built-in one', async (t) => {
  const other = await startTestService(t, { env: { DARKROOM_ENGINES: 'fal' } });
  const { live, test: key } = other.keys;
  assert.equal((await other.call(live, 'POST', '/v1/images', order)).error?.code, 'model_not_offered');
  assert.deepEqual((await other.call(live, 'GET', '/v1/models')).data.items, []);
  const simulate = { outcome: 'timeout' };
  assert.equal((await other.call(key, 'POST', '/v1/images', { ...order, simulate })).status, 201);
  const named = await startTestService(t, { env: { DARKROOM_ENGINES: 'fal,sketch' } });
  assert.equal((await named.call(named.keys.live, 'GET', '/v1/models')).data.items.length, 3);
});

test('pages of the origins that an operator names may call and read, others may not', async () => {
  const ask = async (origin: string, path: string) => (await fetch(`${url}${path}`, { headers: { origin } })).headers;
  for (const path of ['/v1/catalog', '/v1/images', '/v1/nowhere']) {
    const headers = await ask('https://shop.example', path);
    assert.equal(headers.get('access-control-allow-origin'), 'https://shop.example', path);
    assert.match(String(headers.get('access-control-expose-headers')), /x-request-id/, path);
    assert.equal((await ask('https://other.example', path)).get('access-control-allow-origin'), null, path);
  }
});

test('where the public address has a path, requests come with it or without', async () => {
  for (const path of ['/v1/catalog', '/darkroom/v1/catalog']) assert.equal((await call(null, 'GET', path)).status, 200);
  const refused = await call(keys.test, 'POST', '/darkroom/v1/images', {});
  assert.match(refused.error.docs_url, /^https:\/\/pictures\.example\.com\/darkroom\/docs#error-invalid_request$/);
});

test('figures have a port of their own where one is set, without a key', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /^# HELP /m);
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/catalog`)).status, 404);
  assert.equal((await fetch(`${url}/metrics`)).status, 401);
  assert.equal((await call(keys.admin, 'GET', '/metrics')).status, 200);
});

test('a stop answers requests that wait for a task, as far as the task got', async (t) => {
  const service = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const slow = { ...order, simulate: { seconds: 600 } };
  const waiting = service.call(service.keys.test, 'POST', '/v1/images', slow, { prefer: 'wait=60' });
  await until(
    async () => (await service.call(service.keys.test, 'GET', '/v1/images')).data.items,
    ([task]) => task?.status === 'processing',
  );
  const begun = performance.now();
  await service.service.stop();
  const answer = await waiting;
  assert.deepEqual([answer.status, answer.data.status], [201, 'processing']);
  assert.ok(performance.now() - begun < 30_000, 'it did not wait for the minute that was asked for');
  await assert.rejects(fetch(`${service.url}/healthz`));
});

test('a wrong setting stops the start, and every fault is named at once', async (t) => {
  const env = { DARKROOM_PORT: 'many', DARKROOM_MAX_BODY_MB: '-1', DARKROOM_CORS_ORIGINS: 'shop' };
  await assert.rejects(startTestService(t, { env }), (error: Error) => {
    for (const name of Object.keys(env)) assert.match(error.message, new RegExp(name));
    return true;
  });
});
