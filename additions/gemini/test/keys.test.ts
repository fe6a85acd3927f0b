import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../../src/base/log.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { startGemini } from './gemini-service.ts';

/** Where the key stands, and that no log has it. */

const lines: string[] = [];
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const { service, ask, ownKey } = await startGemini({
  env: { DARKROOM_LOG_REQUESTS: 'all' },
  service: { engines: [createSwiftEngine()], log: createLog('trace', destination) },
});
const GENERATE = '/v1beta/models/sketch:generateContent';
const BODY = { contents: [{ parts: [{ text: 'a fox' }] }] };
/** Looks like the key of another vendor, which the pattern of our own keys does not redact. */
const STRANGE = 'AIzaSyStrangeKeyOfAnotherVendor01234567';

async function send(path: string, headers: Record<string, string> = {}, body: object = BODY) {
  const answer = await fetch(`${service.url}/gemini${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.text() };
}

test('the key is read from x-goog-api-key, from the address and from the bearer', async () => {
  const key = await ownKey();
  assert.equal((await send(GENERATE, { 'x-goog-api-key': key })).status, 200);
  assert.equal((await send(`${GENERATE}?key=${key}`)).status, 200);
  assert.equal((await send(GENERATE, { authorization: `Bearer ${key}` })).status, 200);
  const missing = await send(GENERATE);
  assert.deepEqual([missing.status, JSON.parse(missing.body).error.status], [401, 'UNAUTHENTICATED']);
});

test('no log line, no stored request and no answer has a key, whatever becomes of the request', async () => {
  const key = await ownKey();
  for (const secret of [key, STRANGE]) {
    for (const path of [
      GENERATE,
      '/v1beta/models/sketch:unknown',
      '/v1beta/models/no-such:generateContent',
      '/nowhere',
    ])
      for (const send of [`${path}?key=${secret}`, `${path}?alt=sse&key=${secret}&x=1`]) {
        const { text } = await ask('', 'POST', send, BODY);
        assert.ok(!text.includes(secret), send);
      }
    await ask(secret, 'POST', GENERATE, BODY);
    await ask('', 'POST', `${GENERATE}?key=${secret}`, { ...BODY, simulate: { outcome: 'engine_crash' } });
    await ask('', 'GET', `/v1beta/models?key=${secret}`);
    await ask('', 'PATCH', `/v1beta/models?key=${secret}`, {});
  }
  const { items } = await until(
    async () => (await service.call(key, 'GET', '/v1/requests')).data,
    (stored) => stored.items.length > 3,
  );
  assert.ok(items.length > 3 && lines.length > 10, `${items.length} requests, ${lines.length} lines`);
  for (const text of [...lines, JSON.stringify(items)])
    for (const secret of [key, STRANGE]) assert.ok(!text.includes(secret), text);
});
