import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../../../test/helpers/service.ts';
import { createStoppableEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import type { OpenaiErrorView } from '../src/mapping/openai-wire.ts';
import type { OpenaiVideoView } from '../src/mapping/video-wire.ts';

/** Models, videos, image tasks and streams of the OpenAI-compatible interface. */

const { call, issueKey, keys, make, url } = await startTestService(wholeFile, {
  env: { DARKROOM_OPENAI_MOUNT_ALIASES: 'my-film=sketch-motion,my-*=sketch' },
  service: { engines: [createStoppableEngine()] },
});
const MOUNT = '/openai/v1';
/** Streams text if the body says so. */
const GENERATIONS: string = `${MOUNT}/images/generations`;
const FILM = { model: 'sketch-motion', prompt: 'a fox runs', seconds: '1', size: '640x360' };
const IMAGE = { model: 'sketch', prompt: 'a fox', size: '256x256' };

async function film(key: string, body: object = {}) {
  const { status, body: video } = await call(key, 'POST', `${MOUNT}/videos`, { ...FILM, ...body });
  assert.equal(status, 200, JSON.stringify(video));
  return video;
}

async function ended(key: string, id: string) {
  await call(key, 'GET', `/v1/videos/${id}`, undefined, { prefer: 'wait=60' });
  return await until(
    async () => (await call(key, 'GET', `${MOUNT}/videos/${id}`)).body,
    ({ status }) => status === 'completed' || status === 'failed',
  );
}

async function ledgerOf(key: string): Promise<string[]> {
  const { data } = await call(key, 'GET', '/v1/account/ledger');
  return data.items.map(({ kind }) => kind).sort();
}

test('models are listed with images first, then videos, with the names that stand for them', async () => {
  const { body } = await call(keys.test, 'GET', `${MOUNT}/models`);
  const ids: string[] = body.data.map(({ id }) => id);
  const { items } = (await call(keys.test, 'GET', '/v1/models')).data;
  const kindOf = new Map(items.map(({ model_id: id, type }) => [id, type]));
  const kinds = ids.map((id) => kindOf.get(id)).filter((kind) => kind !== undefined);
  assert.deepEqual(kinds, [...kinds].sort());
  for (const id of ['sketch', 'sketch-motion', 'gpt-image-1', 'sora-2', 'my-film']) assert.ok(ids.includes(id), id);
  assert.ok(!ids.some((id) => id.includes('*')));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(Object.keys(body.data[0]).slice(0, 4), ['id', 'object', 'created', 'owned_by']);
});

test('one model is found by its id and by the names that stand for it', async () => {
  for (const name of ['sketch-motion', 'my-film'])
    assert.deepEqual((await call(keys.test, 'GET', `${MOUNT}/models/${name}`)).body, {
      id: name,
      object: 'model',
      created: 0,
      owned_by: 'Darkroom',
      architecture: {
        modality: 'text+image+video+audio->video',
        input_modalities: ['text', 'image', 'video', 'audio'],
        output_modalities: ['video'],
      },
      capabilities: { image_generation: false, video_generation: true, vision: true },
    });
  const { status, error } = await call(keys.test, 'GET', `${MOUNT}/models/nothing`);
  assert.deepEqual([status, error.code, error.status], [404, 'model_not_found', 404]);
});

test('a video is ordered, completed and downloaded, and costs what was held', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const created = await call(key, 'POST', `${MOUNT}/videos`, { ...FILM, fox: 1 });
  const { body: ordered, headers } = created;
  assert.deepEqual(
    [ordered.object, ordered.model, ordered.seconds, ordered.size, ordered.prompt, ordered.error],
    ['video', 'sketch-motion', '1', '640x360', 'a fox runs', null],
  );
  assert.equal(headers.get('darkroom-task-ids'), ordered.id);
  assert.equal(headers.get('darkroom-ignored-fields'), 'fox');
  const done = await ended(key, ordered.id);
  assert.deepEqual([done.status, done.progress], ['completed', 100]);
  assert.ok(done.completed_at >= done.created_at && done.expires_at > done.completed_at);
  const task = (await call(key, 'GET', `/v1/videos/${ordered.id}`)).data;
  assert.equal(headers.get('x-litellm-response-cost'), task.cost.amount);
  for (const [query, type] of [
    ['', 'video/mp4'],
    ['?variant=video', 'video/mp4'],
    ['?variant=thumbnail', 'image/webp'],
  ] as const) {
    const content = await call(key, 'GET', `${MOUNT}/videos/${ordered.id}/content${query}`);
    assert.deepEqual([content.status, content.headers.get('content-type')], [200, type], query);
  }
  const sheet = await call(key, 'GET', `${MOUNT}/videos/${ordered.id}/content?variant=spritesheet`);
  assert.deepEqual([sheet.status, sheet.error.param], [400, 'variant']);
});

test('a length that the model does not make is refused by the name that the client uses', async () => {
  const { status, error } = await call(keys.test, 'POST', `${MOUNT}/videos`, { ...FILM, seconds: '90' });
  assert.deepEqual([status, error.param], [400, 'seconds']);
});

test('a video starts with the picture that the client sends', async () => {
  const picture = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '256x256' });
  const { id } = await film(keys.test, { input_reference: { image_url: picture.outputs[0].content_url } });
  const { input } = (await call(keys.test, 'GET', `/v1/videos/${id}`)).data;
  assert.equal(input.first_frame_url, picture.outputs[0].content_url);
});

test('a form is the same order as JSON, and its file is the first frame', async () => {
  const picture = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '256x256' });
  const file = await (await fetch(picture.outputs[0].url)).blob();
  const form = new FormData();
  for (const [name, value] of Object.entries(FILM)) form.set(name, value);
  form.set('seed', '7');
  form.set('metadata[order]', '12');
  form.set('simulate[seconds]', '0.5');
  form.set('input_reference', file, 'fox.png');
  const sent = await fetch(`${url}${MOUNT}/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.test}` },
    body: form,
  });
  const video = (await sent.json()) as OpenaiVideoView;
  assert.equal(sent.status, 200, JSON.stringify(video));
  const { input, metadata } = (await call(keys.test, 'GET', `/v1/videos/${video.id}`)).data;
  assert.deepEqual([input.seed, input.duration, metadata], [7, 1, { order: '12' }]);
  assert.match(input.first_frame_url, /^upload:/);
});

test('a form that breaks off, is empty or has no boundary is refused', async () => {
  const headers = { authorization: `Bearer ${keys.test}` };
  for (const [type, body] of [
    ['multipart/form-data; boundary=fox', '--fox\r\ncontent-disposition: form-data; name="prompt"\r\n\r\na f'],
    ['multipart/form-data; boundary=fox', '--fox--\r\n'],
    ['multipart/form-data', 'fox'],
  ] as const) {
    const answer = await fetch(`${url}${MOUNT}/videos`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    });
    const { error } = (await answer.json()) as OpenaiErrorView;
    assert.ok([400, 415].includes(answer.status) && error.type === 'invalid_request_error', `${answer.status} ${body}`);
  }
});

test('videos are listed page by page in either order, of this key alone', async () => {
  const { key } = await issueKey({ mode: 'test' });
  await film(keys.test);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await film(key)).id);
  const oldest = await call(key, 'GET', `${MOUNT}/videos?limit=2&order=asc`);
  assert.deepEqual(
    [oldest.body.data.map(({ id }) => id), oldest.body.has_more, oldest.body.last_id],
    [ids.slice(0, 2), true, ids[1]],
  );
  const rest = await call(key, 'GET', `${MOUNT}/videos?limit=2&order=asc&after=${ids[1]}`);
  assert.deepEqual([rest.body.data.map(({ id }) => id), rest.body.has_more], [[ids[2]], false]);
  const newest = await call(key, 'GET', `${MOUNT}/videos`);
  assert.deepEqual(
    newest.body.data.map(({ id }) => id),
    ids.toReversed(),
  );
});

test('deleting a video that is being made cancels it; deleting it again succeeds; of another key it is not found', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const { id } = await film(key, { simulate: { seconds: 3600 } });
  assert.equal((await call(keys.test, 'DELETE', `${MOUNT}/videos/${id}`)).status, 404);
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await call(key, 'DELETE', `${MOUNT}/videos/${id}`)).body, {
      id,
      object: 'video.deleted',
      deleted: true,
    });
  assert.equal((await call(key, 'GET', `${MOUNT}/videos/${id}`)).status, 404);
  assert.deepEqual(await ledgerOf(key), ['hold', 'release']);
});

test('a failed video says why and costs nothing', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const { id } = await film(key, { simulate: { outcome: 'content_policy' } });
  const { status, error } = await ended(key, id);
  assert.deepEqual([status, error.code], ['failed', 'content_policy']);
  assert.deepEqual(await ledgerOf(key), ['hold', 'release']);
});

test('a remix is an order of the same model that works from the video; a model that cannot says which can', async () => {
  const { id } = await film(keys.test);
  await ended(keys.test, id);
  const remix = await call(keys.test, 'POST', `${MOUNT}/videos/${id}/remix`, { prompt: 'a fox sleeps' });
  assert.equal(remix.status, 200, JSON.stringify(remix.body));
  assert.deepEqual(
    [remix.body.remixed_from_video_id, remix.body.prompt, remix.body.size],
    [id, 'a fox sleeps', '640x360'],
  );
  const other = await film(keys.test, { model: 'sora-2', seconds: '4', size: '1280x720' });
  const refused = await call(keys.test, 'POST', `${MOUNT}/videos/${other.id}/remix`, { prompt: 'a fox sleeps' });
  assert.deepEqual([refused.status, refused.error.code], [400, 'unsupported_action']);
  assert.match(refused.error.message, /sketch-motion/);
  await call(keys.test, 'DELETE', `${MOUNT}/videos/${other.id}`);
});

type TaskPath = `/openai/v1/images/tasks/${string}`;

/** An event of a stream of images, whole or failed. */
interface StreamEvent {
  readonly type: string;
  readonly size: string;
  readonly output_format: string;
  readonly b64_json: string;
  readonly error: { readonly code: string };
}

test('images can be ordered as a task that is asked for until it is completed', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const body = { ...IMAGE, n: 2, simulate: { seconds: 1 } };
  const ordered = await call(key, 'POST', `${MOUNT}/images/generations/async`, body);
  assert.equal(ordered.status, 202, JSON.stringify(ordered.body));
  const { id } = ordered.body;
  const url = ordered.body.poll_url as TaskPath;
  assert.deepEqual(
    [ordered.body.object, ordered.body.status, ordered.body.task_id],
    ['image.generation.task', 'processing', id],
  );
  assert.deepEqual(
    [ordered.headers.get('location'), ordered.headers.get('retry-after'), ordered.headers.get('cache-control')],
    [url, '3', 'no-store'],
  );
  assert.equal((await call(keys.test, 'GET', url)).status, 404, 'not for other keys');
  const done = await until(
    () => call(key, 'GET', url),
    ({ body: task }) => task.status !== 'processing',
    100,
  );
  assert.deepEqual([done.body.status, done.body.http_status, done.body.result.data.length], ['completed', 200, 2]);
  assert.equal((await fetch(done.body.image_url)).headers.get('content-type'), 'image/png');
  assert.equal(done.headers.get('x-litellm-response-cost'), '0.01');
});

test('a task whose images failed says so with the status that a waiting call would have had', async () => {
  const body = { ...IMAGE, simulate: { outcome: 'content_policy' } };
  const ordered = await call(keys.test, 'POST', `${MOUNT}/images/generations/async`, body);
  const url = ordered.body.poll_url as TaskPath;
  const { body: task } = await until(
    () => call(keys.test, 'GET', url),
    ({ body: found }) => found.status !== 'processing',
    100,
  );
  assert.deepEqual([task.status, task.http_status, task.error.code], ['failed', 400, 'content_policy']);
});

test('a stream ends with an event for each image, or with the error', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const events = async (body: object) => {
    const { headers, body: text } = await call(key, 'POST', GENERATIONS, { ...body, stream: true });
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
    const frames = String(text)
      .split('\n\n')
      .filter((frame) => frame.includes('data: '));
    assert.equal(frames.pop(), 'data: [DONE]');
    return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as StreamEvent);
  };
  const made = await events({ ...IMAGE, n: 2, partial_images: 2 });
  assert.deepEqual(
    made.map(({ type, size, output_format: format }) => [type, size, format]),
    Array(2).fill(['image_generation.completed', '256x256', 'png']),
  );
  for (const { b64_json: base64 } of made) assert.equal(Buffer.from(base64, 'base64').toString('latin1', 1, 4), 'PNG');
  const [failed] = await events({ ...IMAGE, simulate: { outcome: 'content_policy' } });
  assert.deepEqual([failed?.type, failed?.error.code], ['error', 'content_policy']);
});
