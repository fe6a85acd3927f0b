import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { startGemini } from './gemini-service.ts';

/** Requests that are sent again, after their answer was lost. */

const clock = new ManualClock();
const { service, ask, ownKey, tasksOf, ledgerOf } = await startGemini({
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
/** Is not finished before the clock is moved. */
const SLOW = { simulate: { seconds: 60 } };
const REQUESTS = [
  ['/v1beta/models/sketch:generateContent', { contents: [{ parts: [{ text: 'a fox' }] }], ...SLOW }],
  ['/v1beta/models/sketch:predict', { instances: [{ prompt: 'a fox' }], ...SLOW }],
  ['/v1beta/interactions', { model: 'sketch', input: 'a fox', ...SLOW }],
] as const;

for (const [path, body] of REQUESTS)
  test(`${path}: the next equal request gets the order of the one that left, and pays nothing more`, async () => {
    const key = await ownKey();
    const leaving = new AbortController();
    const sent = fetch(`${service.url}/gemini${path}?key=${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => {});
    await until(
      () => tasksOf(key),
      (tasks) => tasks.length === 1,
    );
    leaving.abort();
    await sent;
    const { database } = service;
    await until(
      () => database.read.all(database.read.builder.selectFrom('openai_calls').select('left_at').orderBy('id', 'desc')),
      ([call]) => call?.left_at != null,
    );
    let isAnswered = false;
    const again = ask(key, 'POST', path, body).finally(() => {
      isAnswered = true;
    });
    await until(
      () => clock.advance(1_000),
      () => isAnswered,
    );
    assert.equal((await again).status, 200);
    assert.equal((await tasksOf(key)).length, 1);
    assert.deepEqual(await ledgerOf(key), ['charge', 'hold', 'release']);
  });

test('equal requests with one Idempotency-Key are one order; a different one is refused, and without a key each orders', async () => {
  const key = await ownKey();
  const path = '/v1beta/interactions';
  const body = { model: 'sketch', input: 'a fox', background: true };
  const once = { 'Idempotency-Key': 'one' };
  const first = await ask(key, 'POST', path, body, once);
  const second = await ask(key, 'POST', '/v1/interactions', body, once);
  assert.equal(second.body.id, first.body.id);
  const other = await ask(key, 'POST', path, { ...body, input: 'a hen' }, once);
  assert.equal(other.body.error.code, 'idempotency_key_reused');
  await ask(key, 'POST', path, body);
  await ask(key, 'POST', path, body);
  assert.equal((await tasksOf(key)).length, 3);
});
