import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const film = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '360p' };
const ids = (answer: { data: { items: readonly TaskAnswer[] } }): string[] =>
  answer.data.items.map((task) => task.task_id);
const newKey = async () => (await service.issueKey({ mode: 'test' })).key;

/** Orders five tasks that fail, one that waits, and answers their ids, newest first. */
async function orderSix(key: string, path: '/v1/images' | '/v1/videos', body: object): Promise<string[]> {
  const made: string[] = [];
  for (const simulate of [...Array(5).fill({ outcome: 'timeout' }), { seconds: 600 }]) {
    const prefer: Record<string, string> = simulate.seconds === undefined ? { prefer: 'wait=60' } : {};
    made.unshift((await call(key, 'POST', path, { ...body, simulate }, prefer)).data.task_id);
  }
  return made;
}

test('the public catalog has default prices; the models of the account what it can order', async () => {
  const { items } = (await call(null, 'GET', '/v1/catalog')).data;
  for (const entry of items) {
    assert.equal(typeof entry.model_id, 'string');
    assert.equal(typeof entry.default_config, 'object');
    assert.ok(Array.isArray(entry.supported_features) && entry.supported_features.length > 0, entry.model_id);
    assert.match(entry.pricing.from, /^\d+\.\d{2,6}$/, entry.model_id);
  }
  const { items: mine } = (await call(keys.test, 'GET', '/v1/models')).data;
  assert.deepEqual(
    mine.map((entry) => entry.model_id),
    items.filter(({ status }) => status !== 'retired').map((entry) => entry.model_id),
  );
});

test('images are listed by limit, offset and status, newest first, and only those of the calling key', async () => {
  const key = await newKey();
  const made = await orderSix(key, '/v1/images', order);
  assert.deepEqual(ids(await call(key, 'GET', '/v1/images')), made);
  const page = await call(key, 'GET', '/v1/images?limit=2&offset=3');
  assert.deepEqual([ids(page), page.data.limit, page.data.offset], [made.slice(3, 5), 2, 3]);
  assert.deepEqual(
    [page.data.has_more, (await call(key, 'GET', '/v1/images?limit=2&offset=4')).data.has_more],
    [true, false],
  );
  assert.deepEqual(ids(await call(key, 'GET', '/v1/images?status=failed')), made.slice(1));
  assert.deepEqual(ids(await call(key, 'GET', '/v1/images?status=succeeded,canceled')), []);
  assert.equal((await call(key, 'GET', '/v1/images?status=done')).status, 400);
  assert.deepEqual(ids(await call(key, 'GET', '/v1/videos')), []);
  assert.deepEqual(ids(await call(await newKey(), 'GET', '/v1/images')), []);
});

test('videos are listed by limit, page and status', async () => {
  const key = await newKey();
  const made = await orderSix(key, '/v1/videos', film);
  assert.deepEqual(ids(await call(key, 'GET', '/v1/videos')), made);
  const page = await call(key, 'GET', '/v1/videos?limit=4&page=2');
  assert.deepEqual([ids(page), page.data.limit, page.data.page, page.data.has_more], [made.slice(4), 4, 2, false]);
  assert.deepEqual(ids(await call(key, 'GET', '/v1/videos?status=processing,queued')), made.slice(0, 1));
  assert.equal((await call(key, 'GET', '/v1/videos?page=0')).status, 400);
});

test('a task is retrieved under its own path, by its own key', async () => {
  const key = await newKey();
  const image = (await call(key, 'POST', '/v1/images', order)).data.task_id;
  const video = (await call(key, 'POST', '/v1/videos', { ...film, simulate: { seconds: 600 } })).data.task_id;
  assert.equal((await call(key, 'GET', `/v1/images/${image}`)).data.type, 'image');
  assert.equal((await call(key, 'GET', `/v1/videos/${video}`)).data.type, 'video');
  for (const path of [`/v1/videos/${image}`, `/v1/images/${video}`, '/v1/images/nothing'])
    assert.equal((await call(key, 'GET', path)).error.code, 'task_not_found', path);
  assert.equal((await call(keys.test, 'GET', `/v1/images/${image}`)).error.code, 'task_not_found');
});

test('an image create that is sent again with its Idempotency-Key makes neither a task nor a charge', async () => {
  const key = await newKey();
  const send = (body: object) => call(key, 'POST', '/v1/images', body, { 'idempotency-key': 'retry-1' });
  const first = await send(order);
  const { resolution, ...others } = order;
  const again = await send({ resolution, ...others });
  assert.deepEqual([again.status, again.data.task_id], [201, first.data.task_id]);
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')],
    [null, 'true'],
  );
  assert.equal((await send({ ...order, prompt: 'an owl' })).status, 422);
  assert.equal(ids(await call(key, 'GET', '/v1/images')).length, 1);
  const holds = (await call(key, 'GET', '/v1/account/ledger')).data.items.filter((entry) => entry.kind === 'hold');
  assert.equal(holds.length, 1);
});

test('a reference may replace the prompt if the model supports it', async () => {
  const data = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const image = `data:image/png;base64,${data.toString('base64')}`;
  const simulate = { outcome: 'timeout' };
  const alone = await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', image_urls: [image], simulate });
  assert.equal(alone.status, 201, JSON.stringify(alone.body));
  const neither = await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', simulate });
  assert.deepEqual([neither.status, neither.error.code], [400, 'missing_prompt']);
  const unsupported = await call(keys.test, 'POST', '/v1/images', {
    model_id: 'flux-2-pro',
    image_urls: [image],
    simulate,
  });
  assert.deepEqual([unsupported.status, unsupported.error.code], [400, 'missing_prompt']);
});

test('duration comes as a number or as text, with resolution and aspect ratio of the model', async () => {
  for (const duration of [3, '3', '3.0']) {
    const body = { ...film, duration, aspect_ratio: '9:16', simulate: { seconds: 600 } };
    const { input } = (await call(keys.test, 'POST', '/v1/videos', body)).data;
    assert.deepEqual([input.duration, input.resolution, input.aspect_ratio], [3, '360p', '9:16']);
  }
  for (const wrong of [{ duration: 'long' }, { duration: -2 }, { aspect_ratio: '5:7' }, { resolution: '8K' }])
    assert.equal(
      (await call(keys.test, 'POST', '/v1/videos', { ...film, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    );
});

test('fields of the model are taken, fields that it does not support are refused and never dropped', async () => {
  const simulate = { outcome: 'timeout' };
  const own = await call(keys.test, 'POST', '/v1/images', { ...order, style: 'ink', seed: 7, simulate });
  assert.deepEqual([own.data.input.style, own.data.input.seed], ['ink', 7]);
  for (const field of ['generate_audio', 'guidance_scale', 'duration', 'Prompt', 'mask_url']) {
    const { status, error } = await call(keys.test, 'POST', '/v1/images', { ...order, [field]: 1, simulate });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_field', field]);
  }
});

test('a follow-up action makes a new image task that names its parent', async () => {
  const parent = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const body = { parent_task_id: parent.task_id, action: 'variation', index: 3, prompt: 'an owl' };
  const created = await call(keys.test, 'POST', '/v1/images/actions', body);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { data } = await call(keys.test, 'GET', `/v1/images/${created.data.task_id}`);
  assert.deepEqual([data.action, data.parent_task_id, data.model_id], ['variation', parent.task_id, 'sketch-grid']);
  for (const [missing, param] of [
    [{ action: 'variation', index: 1 }, 'parent_task_id'],
    [{ parent_task_id: parent.task_id }, 'action'],
  ] as const) {
    const { status, error } = await call(keys.test, 'POST', '/v1/images/actions', missing);
    assert.deepEqual([status, error.param], [400, param]);
  }
});
