import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { picture, startGemini } from './gemini-service.ts';

/** Films by `predictLongRunning` and its operations. */

const { ask, ownKey, tasksOf, ledgerOf } = await startGemini();
const MODEL = '/v1beta/models/sketch-motion';
const VERTEX = '/v1beta1/publishers/google/models/sketch-motion';
const ORDER = { instances: [{ prompt: 'a boat' }], parameters: { durationSeconds: 1, resolution: '480p' } };
const LONG = { ...ORDER, simulate: { seconds: 3600 } };

test('a film is ordered at once, polled and downloaded with the key, and charged once', async () => {
  const key = await ownKey();
  const { body: ordered } = await ask(key, 'POST', `${MODEL}:predictLongRunning`, ORDER);
  assert.match(ordered.name, /^models\/sketch-motion\/operations\/call_\w+$/);
  const done = await until(
    async () => (await ask(key, 'GET', `/v1beta/${ordered.name}`)).body,
    (operation) => operation.done === true,
  );
  const [{ video }] = done.response.generateVideoResponse.generatedSamples;
  assert.match(video.uri, /\/gemini\/v1beta\/files\/vid[0-9a-z]{26}:download\?alt=media$/);
  const film = await fetch(video.uri, { headers: { 'x-goog-api-key': key } });
  assert.equal(
    Buffer.from(await film.arrayBuffer())
      .subarray(4, 8)
      .toString(),
    'ftyp',
  );
  assert.equal((await fetch(`${video.uri}&key=${key}`)).status, 200);
  assert.equal((await fetch(video.uri)).status, 401);
  assert.equal((await fetch(video.uri, { headers: { 'x-goog-api-key': await ownKey() } })).status, 404);
  assert.deepEqual(await ledgerOf(key), ['charge', 'hold', 'release']);
});

test('Vertex AI answers the film itself', async () => {
  const key = await ownKey();
  const { body: ordered } = await ask(key, 'POST', `${VERTEX}:predictLongRunning`, ORDER);
  assert.match(ordered.name, /^publishers\/google\/models\/sketch-motion\/operations\/call_\w+$/);
  const done = await until(
    async () => (await ask(key, 'POST', `${VERTEX}:fetchPredictOperation`, { operationName: ordered.name })).body,
    (operation) => operation.done === true,
  );
  const [film] = done.response.videos;
  assert.equal(film.mimeType, 'video/mp4');
  assert.equal(Buffer.from(film.bytesBase64Encoded, 'base64').subarray(4, 8).toString(), 'ftyp');
});

test('frames, several films and the fields of the model are ordered', async () => {
  const key = await ownKey();
  const image = { bytesBase64Encoded: await picture(), mimeType: 'image/png' };
  const body = {
    ...LONG,
    instances: [{ prompt: 'a boat', image, lastFrame: image }],
    parameters: {
      ...ORDER.parameters,
      sampleCount: 2,
      generateAudio: false,
      aspectRatio: '9:16',
      negativePrompt: 'fog',
    },
  };
  const { status, body: answer } = await ask(key, 'POST', `${MODEL}:predictLongRunning`, body);
  assert.equal(status, 200, JSON.stringify(answer));
  const tasks = await tasksOf(key);
  assert.equal(tasks.length, 2);
  const { input } = tasks[0]!;
  assert.deepEqual(
    [input.duration, input.generate_audio, input.aspect_ratio, input.negative_prompt],
    [1, false, '9:16', 'fog'],
  );
  assert.match(`${input.first_frame_url} ${input.last_frame_url}`, /^upload:\S+ upload:\S+$/);
});

test('an operation is canceled, and ends with the error of a cancellation', async () => {
  const key = await ownKey();
  const { body: ordered } = await ask(key, 'POST', `${MODEL}:predictLongRunning`, LONG);
  assert.deepEqual((await ask(key, 'POST', `/v1beta/${ordered.name}:cancel`)).body, {});
  const done = await until(
    async () => (await ask(key, 'GET', `/v1beta/${ordered.name}`)).body,
    (operation) => operation.done === true,
  );
  assert.deepEqual([done.error.code, done.response], [1, undefined]);
  assert.deepEqual(await ledgerOf(key), ['hold', 'release']);
});

test('a refused film has its reason, and a picture is no film', async () => {
  const key = await ownKey();
  const { body: ordered } = await ask(key, 'POST', `${MODEL}:predictLongRunning`, {
    ...ORDER,
    simulate: { outcome: 'content_policy' },
  });
  const done = await until(
    async () => (await ask(key, 'GET', `/v1beta/${ordered.name}`)).body,
    (operation) => operation.done === true,
  );
  assert.deepEqual([done.error.code, typeof done.error.message], [3, 'string']);
  const asInteraction = `/v1beta/interactions/${ordered.name.split('/').at(-1)}`;
  assert.equal((await ask(key, 'GET', asInteraction)).status, 404, 'the id of an operation is none of an interaction');
  const wrong = await ask(key, 'POST', '/v1beta/models/sketch:predictLongRunning', ORDER);
  assert.match(wrong.body.error.message, /sketch makes images.*sketch:generateContent/);
  const unknown = await ask(key, 'GET', '/v1beta/models/sketch-motion/operations/call_1');
  assert.deepEqual([unknown.status, unknown.body.error.status], [404, 'NOT_FOUND']);
});
