import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** OpenRouter's form: its shapes, with the orders and the money of the service. */

const service = await startTestService(wholeFile, {
  env: { DARKROOM_OPENAI_MOUNT_ALIASES: 'gemini-2.5-flash-image=sketch' },
  service: { engines: [createSwiftEngine()] },
});
const { call, issueKey, keys } = service;
const ROOT = '/openrouter/api/v1';
const ORDER = { model: 'sketch', prompt: 'a fox', resolution: '512' };
const FILM = { model: 'sketch-motion', prompt: 'a boat', duration: 2, resolution: '360p' };
const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } };

interface Sent {
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the door, and reads its answer, which stands in no document. */
async function ask(method: string, path: string, { key = keys.test, body, headers }: Sent = {}) {
  const answer = await fetch(`${service.url}${ROOT}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

const post = (path: string, body: object, key = keys.test, headers = {}) => ask('POST', path, { body, key, headers });
const ownKey = async (): Promise<string> => (await issueKey({ mode: 'test' })).key;
const imagesOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/images')).data.items;
const filmsOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/videos')).data.items;

test('an image is answered as base64 with its type and its cost', async () => {
  const key = await ownKey();
  const { status, headers, body } = await post('/images', ORDER, key);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ['created', 'data', 'usage']);
  assert.deepEqual(Object.keys(body.data[0]), ['b64_json', 'media_type']);
  const { width } = await sharp(Buffer.from(body.data[0].b64_json, 'base64')).metadata();
  assert.deepEqual([body.data[0].media_type, width], ['image/png', 512]);
  const [task] = await imagesOf(key);
  assert.equal(body.usage.cost, Number(task!.cost!.amount));
  assert.equal(headers.get('darkroom-task-ids'), task!.task_id);
});

test('the shape, the references and the names of models are read as its clients send them', async () => {
  const key = await ownKey();
  const body = {
    model: 'google/gemini-2.5-flash-image',
    prompt: 'night',
    n: 1,
    aspect_ratio: '16:9',
    size: '2K',
    input_references: [picture, picture],
    session_id: 'one',
    provider: { sort: 'price' },
  };
  const { status, headers, body: answered } = await post('/images', body, key);
  assert.equal(status, 200, JSON.stringify(answered));
  const { input } = (await imagesOf(key))[0]!;
  assert.deepEqual([input.aspect_ratio, input.resolution, input.image_urls.length], ['16:9', '2K', 2]);
  assert.equal(headers.get('darkroom-ignored-fields'), 'session_id, provider');
});

test('a stream of images ends with an event that has the cost', async () => {
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' };
  for (const [simulate, expected] of [
    [{}, 'image_generation.completed'],
    [{ simulate: { outcome: 'content_policy' } }, 'error'],
  ] as const) {
    const body = JSON.stringify({ ...ORDER, ...simulate, stream: true });
    const text = await (await fetch(`${service.url}${ROOT}/images`, { method: 'POST', headers, body })).text();
    const [event = '', done] = text.split('\n\n').flatMap((one) => one.match(/^data: (.*)$/)?.[1] ?? []);
    const { type, created, usage, error } = JSON.parse(event);
    assert.deepEqual([type, done], [expected, '[DONE]']);
    if (expected === 'error') assert.equal(error.code, 'content_policy');
    else assert.deepEqual([Number.isInteger(created), usage.cost > 0], [true, true]);
  }
});

test('a picture is made and edited in a conversation', async () => {
  const key = await ownKey();
  const first = { role: 'user', content: 'a fox' };
  const made = await post('/chat/completions', { model: 'sketch', messages: [first], stream: false }, key);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const messages = [first, made.body.choices[0].message, { role: 'user', content: 'now at night' }];
  const edited = await post('/chat/completions', { model: 'sketch', messages, modalities: ['image', 'text'] }, key);
  assert.deepEqual([edited.status, edited.body.usage.cost > 0], [200, true]);
  const { input } = (await imagesOf(key))[0]!;
  assert.deepEqual([input.prompt, input.image_urls.length], ['now at night', 1]);
});

test('the code of an error is its status as a number, and its message is a sentence', async () => {
  const key = await ownKey();
  for (const [answer, status, type, says] of [
    [post('/images', { ...ORDER, model: 'no-such-model' }, key), 404, 'model_not_found', /no-such-model/],
    [post('/images', { ...ORDER, aspect_ratio: 'wide' }, key), 400, 'unsupported_value', /16:9/],
    [post('/images', { ...ORDER, simulate: { outcome: 'upstream_error' } }, key), 422, 'upstream_error', /\w+ \w+/],
    [post('/images', ORDER, 'dk_test_wrong'), 401, 'invalid_api_key', /key/],
    [post('/chat/completions', { model: 'gpt-5.4', messages: [] }, key), 400, 'invalid_request', /messages/],
    [
      post('/responses', { model: 'gpt-5.4', input: 'a fox' }, key),
      400,
      'unsupported_action',
      /POST \/openrouter\/api\/v1\/images,/,
    ],
    [post('/videos', { ...FILM, previous_job_id: 'vid_1' }, key), 400, 'unsupported_field', /reference_video_urls/],
    [ask('GET', '/videos/vid_none', { key }), 404, 'task_not_found', /vid_none/],
    [ask('GET', '/nothing', { key }), 404, 'not_found', /nothing/],
  ] as const) {
    const { status: answered, body } = await answer;
    const { code, message, metadata } = body.error;
    assert.deepEqual([answered, code, metadata.error_type], [status, status, type]);
    assert.match(message, says);
  }
});

test('a video is accepted at once, polled, and downloaded', async () => {
  const key = await ownKey();
  const frames = [{ ...picture, frame_type: 'first_frame' }];
  const { status, body } = await post(
    '/videos',
    { ...FILM, frame_images: frames, callback_url: 'https://a.test' },
    key,
  );
  assert.deepEqual([status, body.polling_url], [202, `${service.url}${ROOT}/videos/${body.id}`], JSON.stringify(body));
  assert.match(body.status, /^(?:pending|in_progress|completed)$/);
  const { input } = (await filmsOf(key))[0]!;
  assert.deepEqual([input.duration, input.resolution], [2, '360p']);
  assert.match(String(input.first_frame_url), /^upload:/);
  const headers = { authorization: `Bearer ${key}` };
  const job = await until(
    async () => JSON.parse(await (await fetch(body.polling_url, { headers })).text()),
    ({ status: now }) => now === 'completed' || now === 'failed',
  );
  assert.deepEqual([job.status, job.unsigned_urls.length, job.usage.cost > 0], ['completed', 1, true]);
  const file = await fetch(job.unsigned_urls[0], { headers });
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'video/mp4']);
});

test('references of a video are read by their type, and its resolution in any spelling', async () => {
  const key = await ownKey();
  const { status, body } = await post('/videos', { ...FILM, resolution: '360P', input_references: [picture] }, key);
  assert.equal(status, 202, JSON.stringify(body));
  const { input } = (await filmsOf(key))[0]!;
  assert.deepEqual([input.resolution, input.image_urls.length], ['360p', 1]);
  const wrong = await post('/videos', { ...FILM, input_references: [{ type: 'file', file: {} }] }, key);
  assert.deepEqual([wrong.status, wrong.body.error.metadata.param], [400, 'input_references']);
});

test('models are listed with what they take and make', async () => {
  const { data: all, links, total_count: count } = (await ask('GET', '/models')).body;
  assert.deepEqual([links.next, count], [null, all.length]);
  const page = (await ask('GET', '/models?limit=2&offset=1')).body;
  assert.deepEqual(page.data, all.slice(1, 3));
  assert.match(page.links.next, /\/models\?.*offset=3&limit=2/);
  const images = (await ask('GET', '/models?output_modalities=image')).body.data;
  assert.ok(images.length > 0 && images.length < all.length);
  const kinds = new Set(
    images.map(({ architecture }: { architecture: { output_modalities: string[] } }) =>
      architecture.output_modalities.join(),
    ),
  );
  assert.deepEqual([...kinds], ['image']);
  const forImages = (await ask('GET', '/images/models')).body.data;
  const sketch = forImages.find(({ id }: { id: string }) => id === 'sketch');
  assert.deepEqual(sketch.supported_parameters.n, { type: 'range', min: 1, max: 10 });
  assert.ok(sketch.supported_parameters.aspect_ratio.values.includes('16:9'));
  const forVideos = (await ask('GET', '/videos/models')).body.data;
  const motion = forVideos.find(({ id }: { id: string }) => id === 'sketch-motion');
  assert.deepEqual(
    [motion.supported_frame_images, motion.supported_durations.includes(2)],
    [['first_frame', 'last_frame'], true],
  );
});

test('a call with an Idempotency-Key is ordered and charged once', async () => {
  const key = await ownKey();
  const headers = { 'idempotency-key': 'one' };
  const answers = [await post('/images', ORDER, key, headers), await post('/images', ORDER, key, headers)];
  const [first, again] = answers.map(({ headers: sent }) => sent.get('darkroom-task-ids'));
  assert.equal(first, again);
  const jobs = [
    await post('/videos', FILM, key, { 'idempotency-key': 'two' }),
    await post('/videos', FILM, key, { 'idempotency-key': 'two' }),
  ];
  assert.equal(jobs[0]!.body.id, jobs[1]!.body.id);
  assert.deepEqual([(await imagesOf(key)).length, (await filmsOf(key)).length], [1, 1]);
  const ledger = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items;
  assert.equal(ledger.filter(({ kind }) => kind === 'hold').length, 2);
});

test('a wrong base URL is told', async () => {
  const { status, error } = await call(keys.test, 'POST', '/openrouter/v1/images', ORDER);
  assert.equal(status, 404);
  assert.match(error.message, /ends with \/openrouter\/api\/v1/);
});
