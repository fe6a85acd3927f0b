import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Requests as Replicate's clients send them, and the answers that they expect. */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, url } = service;
const ROOT = `${url}/replicate/v1`;
const FOX = { prompt: 'fox', size: '512x512' };
const AS_CLIENT = { 'user-agent': 'replicate-javascript/1.4.0', accept: '*/*' };

interface PredictionBody {
  readonly id: string;
  readonly status: string;
  readonly output: unknown;
  readonly [field: string]: unknown;
}

async function ownKey(wish: object = {}): Promise<string> {
  return (await service.issueKey({ mode: 'test', accountId: await service.createAccount(null), ...wish })).key;
}

async function ask(key: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${ROOT}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...AS_CLIENT, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as PredictionBody };
}
const run = (key: string, input: object, headers: Readonly<Record<string, string>> = { prefer: 'wait' }) =>
  ask(key, '/models/darkroom/sketch/predictions', { input }, headers);
const tasksOf = async (key: string) => (await call(key, 'GET', '/v1/images')).data.items;

test('a prediction that is waited for has its output, its cost and the fields that its clients need', async () => {
  const key = await ownKey();
  const { status, body } = await run(key, { ...FOX, go_fast: true });
  assert.deepEqual([status, body.status, body.error, body.version], [201, 'succeeded', null, 'hidden']);
  assert.deepEqual(body.metrics, { ...(body.metrics as object), cost_usd: '0.005' });
  assert.match(String(body.logs), /go_fast: ignored/);
  const file = await fetch(String(body.output));
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png']);
  const shown = await ask(key, `/predictions/${body.id}`);
  assert.deepEqual([shown.status, shown.body.status], [200, 'succeeded']);
  assert.equal(
    (await ask(await ownKey(), `/predictions/${body.id}`)).status,
    404,
    'another key has no such prediction',
  );
});

test('the captured request for a model of a vendor orders that model', async () => {
  const key = await ownKey();
  const path = '/models/black-forest-labs/flux-2-pro/predictions';
  const { status, body } = await ask(key, path, { input: { prompt: 'fox' } }, { prefer: 'wait' });
  assert.deepEqual([status, body.status, body.model], [201, 'succeeded', 'darkroom/flux-2-pro']);
});

test('num_outputs orders so many pictures, and answers a list', async () => {
  const key = await ownKey();
  const { body } = await run(key, { ...FOX, num_outputs: 3 });
  assert.deepEqual(
    [body.status, new Set(body.output as string[]).size, (await tasksOf(key)).length],
    ['succeeded', 3, 3],
  );
  assert.equal(((await run(key, { ...FOX, num_outputs: 1 })).body.output as string[]).length, 1);
  const refused = await run(key, { ...FOX, num_outputs: 0 });
  assert.deepEqual([refused.status, refused.body.title], [400, 'invalid_request']);
});

test('a prediction that is not finished is starting for the client that waited, processing for one that polls', async () => {
  const key = await ownKey({ concurrency: 1 });
  const slow = { ...FOX, simulate: { seconds: 3_600 } };
  const { body } = await run(key, slow, { prefer: 'wait=1' });
  assert.deepEqual([body.status, body.output, body.completed_at], ['starting', null, null]);
  const poll = async (id: string) => (await ask(key, `/predictions/${id}`)).body.status;
  assert.equal(await poll(body.id), 'processing');
  const before = performance.now();
  const waiting = (await run(key, FOX, {})).body;
  assert.ok(performance.now() - before < 30_000, 'without Prefer the answer does not wait');
  assert.deepEqual([waiting.status, await poll(waiting.id)], ['starting', 'starting']);
  for (let tries = 0; tries < 2; tries++) {
    const canceled = await ask(key, `/predictions/${waiting.id}/cancel`, {});
    assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'], 'a repetition is no fault');
  }
  const begun = await ask(key, `/predictions/${body.id}/cancel`, {});
  assert.deepEqual([begun.status, begun.body.title], [409, 'not_cancelable'], 'this engine cannot stop');
});

test('a failed prediction has its reason and costs nothing', async () => {
  const key = await ownKey();
  const { status, body } = await run(key, { ...FOX, simulate: { outcome: 'content_policy' } });
  assert.deepEqual([status, body.status, body.output], [201, 'failed', null]);
  assert.match(String(body.error), /content policy/i);
  assert.equal((body.metrics as { cost_usd: string }).cost_usd, '0.00');
});

test('an uploaded file is used by its address, and a picture under any name is used or refused', async () => {
  const key = await ownKey();
  const form = new FormData();
  form.append('content', new Blob([new Uint8Array(await smallPicture)]), 'fox.png');
  form.append('metadata', new Blob(['{}'], { type: 'application/json' }));
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${ROOT}/files`, { method: 'POST', body: form, headers });
  const file = (await uploaded.json()) as { id: string; size: number; urls: { get: string } };
  assert.deepEqual([uploaded.status, file.size > 0], [201, true]);
  for (const input of [{ image: file.urls.get }, { input_images: [file.urls.get] }, { image_input: [file.urls.get] }]) {
    const { body } = await run(key, { ...FOX, ...input });
    assert.deepEqual(
      [body.status, (body.input as { image_urls: string[] }).image_urls],
      ['succeeded', [`upload:${file.id}`]],
    );
  }
  const refused = await run(key, { ...FOX, pose_image: file.urls.get });
  assert.equal(refused.status, 400);
  assert.match(String(refused.body.detail), /pose_image/);
});

test('versions are names here, and what would change the way in which the end is told is refused', async () => {
  const key = await ownKey();
  const named = await ask(key, '/predictions', { version: 'darkroom/sketch:5c7d5dc6', input: FOX }, { prefer: 'wait' });
  assert.deepEqual([named.status, named.body.status], [201, 'succeeded']);
  for (const [body, name] of [
    [{ version: '5c7d5dc6dd8bf75c', input: FOX }, 'version'],
    [{ version: 'darkroom/sketch', input: FOX, webhook: 'https://example.com/' }, 'webhook'],
    [{ version: 'darkroom/sketch', input: FOX, stream: true }, 'stream'],
    [{ version: 'darkroom/sketch', input: 'fox' }, 'input'],
  ] as const) {
    const { status, body: refusal } = await ask(key, '/predictions', body);
    assert.equal(status, 400, name);
    assert.match(String(refusal.detail), new RegExp(`^${name}: `));
  }
  assert.equal((await ask(key, '/models/no/such-model/predictions', { input: FOX })).status, 404);
  assert.equal((await tasksOf(key)).length, 1);
});

test('a repetition with its Idempotency-Key, and the next equal request after a lost connection, order nothing', async () => {
  const key = await ownKey();
  const keyed = { prefer: 'wait', 'idempotency-key': 'one' };
  const [first, again] = [await run(key, FOX, keyed), await run(key, FOX, keyed)];
  assert.equal(first.body.id, again.body.id);
  const slow = { prompt: 'fox', size: '256x256', simulate: { seconds: 1 } };
  const leaving = new AbortController();
  const request = { method: 'POST', body: JSON.stringify({ input: slow }), signal: leaving.signal };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait' };
  const sent = fetch(`${ROOT}/models/darkroom/sketch/predictions`, { ...request, headers }).catch(() => {});
  await until(
    async () => (await tasksOf(key)).length,
    (count) => count === 2,
  );
  leaving.abort();
  await sent;
  await until(
    () =>
      service.database.read.first(
        service.database.read.builder.selectFrom('openai_calls').select('id').where('left_at', 'is not', null),
      ),
    (left) => left !== undefined,
  );
  assert.equal((await run(key, slow)).body.status, 'succeeded');
  assert.equal((await tasksOf(key)).length, 2);
  assert.notEqual((await run(key, slow)).body.id, again.body.id);
  assert.equal((await tasksOf(key)).length, 3, 'another equal request is a new order');
});

test('a video is ordered like a picture', async () => {
  const key = await ownKey();
  const input = { prompt: 'a fox runs', duration: 1 };
  const { status, body } = await ask(key, '/models/darkroom/sketch-motion/predictions', { input }, {});
  assert.deepEqual([status, body.model], [201, 'darkroom/sketch-motion']);
  const [film] = (await call(key, 'GET', '/v1/videos')).data.items;
  assert.deepEqual([film?.type, film?.model_id], ['video', 'sketch-motion']);
});
