import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GeminiJson, sizeOf, startGemini } from './gemini-service.ts';

/** Pictures that take longer than a request is held. */

const gemini = await startGemini({ holdMs: 1_000 });
const { ask, ownKey, tasksOf } = gemini;
const GENERATE = '/v1beta/models/sketch:generateContent';
const SLOW = { contents: [{ parts: [{ text: 'a fox' }] }], simulate: { seconds: 3 } };

test('a long order is answered over several waits to clients that follow, with the key where they had it', async () => {
  const key = await ownKey();
  const agent = { 'user-agent': 'node-fetch' };
  const first = await ask('', 'POST', `${GENERATE}?key=${key}`, SLOW, agent);
  const location = first.headers.get('location') ?? '';
  assert.equal(first.status, 303, first.text);
  assert.match(location, /^\/gemini\/results\/call_\w+\?hop=1&key=dk_test_/);
  const { service } = gemini;
  const followed = await fetch(`${service.url}${location}`, { headers: agent });
  assert.equal(followed.status, 200);
  assert.match(followed.url, /hop=[23]/);
  sizeOf(((await followed.json()) as GeminiJson).candidates[0].content.parts[0].inlineData.data);
  const inHeader = await ask(key, 'POST', GENERATE, SLOW, { 'user-agent': 'google-genai-sdk/3.6.1 gl-python/3.11' });
  assert.match(inHeader.headers.get('location') ?? '', /hop=1$/);
  assert.deepEqual((await tasksOf(key)).length, 2);
});

test('any other client is told where the picture will be', async () => {
  const key = await ownKey();
  const { status, body, headers } = await ask(key, 'POST', GENERATE, SLOW, { 'user-agent': 'someone' });
  const location = headers.get('location') ?? '';
  assert.deepEqual(
    [status, body.error.status, body.error.details[0].reason],
    [422, 'FAILED_PRECONDITION', 'NOT_FINAL'],
  );
  assert.match(body.error.message, new RegExp(`GET ${location} and the same key`));
  const [task] = await tasksOf(key);
  await gemini.service.ended(key, task!);
  const answer = await ask(key, 'GET', location.replace('/gemini', ''));
  assert.equal(answer.body.responseId, location.split('/').at(-1));
  const stranger = await ask(await ownKey(), 'GET', location.replace('/gemini', ''));
  assert.deepEqual([stranger.status, stranger.body.error.status], [404, 'NOT_FOUND']);
});
