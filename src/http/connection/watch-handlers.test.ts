import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunningRequest, RUNNING_BYTES, readRunningRequest } from '@darkroom-service/store';
import fastify from 'fastify';
import { pino } from 'pino';
import type { ApiKey } from '../../accounts/api-key.ts';
import { watchHandlers } from './watch-handlers.ts';

const HOUR_MS = 3_600_000;

/** An app whose handlers take as much CPU time as the header `x-takes-ms` says, and stand still for `x-stands-ms`. */
function openApp() {
  const clock = { now: 0, cpuMs: 0, elapsedMs: 0 };
  const lines: string[] = [];
  const shared = new SharedArrayBuffer(8 + RUNNING_BYTES);
  const seen: (string | null)[] = [];
  const app = fastify({ genReqId: () => 'req_fox' });
  app.decorateRequest('apiKey');
  app.addHook('onRequest', async (request) => {
    const [id, mode] = String(request.headers.authorization).split(' ');
    request.apiKey = { id, mode } as ApiKey;
  });
  watchHandlers(app, {
    running: createRunningRequest(shared, 8),
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    now: () => clock.now,
    cpuMs: () => clock.cpuMs,
    elapsedMs: () => clock.elapsedMs,
  });
  const handler = async (request: { readonly headers: Record<string, unknown> }) => {
    seen.push(readRunningRequest(shared, 8));
    const takesMs = Number(request.headers['x-takes-ms'] ?? 0);
    clock.cpuMs += takesMs;
    clock.elapsedMs += takesMs + Number(request.headers['x-stands-ms'] ?? 0);
    return {};
  };
  for (const url of ['/v1/lists', '/v1/others']) app.get(url, handler);
  for (const url of ['/v1/prices', '/v1/images']) app.post(url, handler);
  const ask = async (key: string, takesMs: number, method: 'GET' | 'POST' = 'GET', url = '/v1/lists') =>
    await app.inject({ method, url, headers: { authorization: key, 'x-takes-ms': String(takesMs) } });
  return { app, clock, lines, shared, seen, ask };
}

test('the request that runs is named with its route, its key and its id, and afterwards as the last', async () => {
  const { shared, seen, ask } = openApp();
  assert.equal(readRunningRequest(shared, 8), null);
  await ask('key_a live', 0);
  assert.deepEqual(seen, ['Running: GET /v1/lists key_id=key_a request_id=req_fox.']);
  assert.equal(readRunningRequest(shared, 8), 'The last that began: GET /v1/lists key_id=key_a request_id=req_fox.');
});

test('a route that stopped the loop twice within an hour is closed for that key alone, for an hour', async () => {
  const { clock, lines, ask } = openApp();
  assert.equal((await ask('key_a live', 2_500)).statusCode, 200);
  clock.now += HOUR_MS / 2;
  // Time in which nobody asked.
  clock.elapsedMs += HOUR_MS / 2;
  assert.equal((await ask('key_a live', 2_500)).statusCode, 200);
  const refused = await ask('key_a live', 0);
  assert.equal(refused.statusCode, 429);
  assert.match(refused.json().message, /GET|\/v1\/lists stopped the service for more than 2 s/);
  assert.match(lines.at(-1) ?? '', /"key_id":"key_a".*closed for its key for an hour/);
  for (const [key, url] of [
    ['key_b live', '/v1/lists'],
    ['key_a live', '/v1/others'],
  ] as const)
    assert.equal((await ask(key, 0, 'GET', url)).statusCode, 200, `${key} ${url}`);
  clock.now += HOUR_MS;
  assert.equal((await ask('key_a live', 0)).statusCode, 200);
});

test('one long request, two in more than an hour, and short ones close nothing', async () => {
  const { clock, ask } = openApp();
  for (let count = 0; count < 5; count++) {
    assert.equal((await ask('key_a live', 2_500)).statusCode, 200);
    clock.now += HOUR_MS;
  }
  for (let count = 0; count < 5; count++) assert.equal((await ask('key_b live', 1_900)).statusCode, 200);
});

test('time in which the thread did not run closes nothing, nor what other requests took shortly before', async () => {
  const { app, ask } = openApp();
  const headers = { authorization: 'key_a live', 'x-takes-ms': '1950', 'x-stands-ms': '9000' };
  for (let count = 0; count < 5; count++) {
    assert.equal((await ask('key_b live', 90)).statusCode, 200);
    assert.equal((await app.inject({ method: 'GET', url: '/v1/lists', headers })).statusCode, 200);
  }
});

test('orders and admin keys are never refused', async () => {
  const { ask } = openApp();
  for (let count = 0; count < 4; count++) {
    assert.equal((await ask('key_a live', 2_500, 'POST', '/v1/images')).statusCode, 200);
    assert.equal((await ask('key_root admin', 2_500)).statusCode, 200);
  }
});
