import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Requests as Open WebUI, SillyTavern and webuiapi send them, and the answers that they expect. */

const service = await startTestService(wholeFile, {
  env: { DARKROOM_DOORS: 'a1111' },
  service: { engines: [createSwiftEngine()] },
});
const { call, url } = service;
const PICTURE = `data:image/png;base64,${Buffer.from(await smallPicture).toString('base64')}`;
const FOX = { prompt: 'a red fox', width: 512, height: 512, steps: 20, cfg_scale: 7, negative_prompt: '' };

interface ImagesBody {
  readonly images: string[];
  readonly info: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly detail?: string;
  readonly [field: string]: unknown;
}

async function ownKey(wish: object = {}): Promise<string> {
  return (await service.issueKey({ mode: 'test', accountId: await service.createAccount(null), ...wish })).key;
}
const basic = (key: string) => `Basic ${Buffer.from(`darkroom:${key}`).toString('base64')}`;

async function ask(key: string | null, path: string, body?: object, more: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${url}/sdapi/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Python/3.11 aiohttp/3.14.5',
      ...(key === null ? {} : { authorization: basic(key) }),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as ImagesBody };
}
const tasksOf = async (key: string) => (await call(key, 'GET', '/v1/images')).data.items;
const infoOf = ({ info }: ImagesBody) => JSON.parse(info) as Readonly<Record<string, unknown>>;

test('the interface is off unless the setting names it', async (t) => {
  const { url: other, keys } = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const answer = await fetch(`${other}/sdapi/v1/options`, { headers: { authorization: basic(keys.test) } });
  assert.equal(answer.status, 404);
});

test('the password of basic authentication is the key, and a request without one is refused', async () => {
  assert.equal((await ask(await ownKey(), '/options')).status, 200);
  for (const path of ['/options', '/scripts', '/progress']) assert.equal((await ask(null, path)).status, 401, path);
  assert.equal((await ask(null, '/txt2img', FOX)).status, 401);
  assert.equal((await ask('dk_test_wrong', '/options')).status, 401);
});

test('an image is held until it is made, in the size that was asked for, and paid once', async () => {
  const key = await ownKey();
  const { status, body } = await ask(key, '/txt2img', { ...FOX, override_settings: { sd_model_checkpoint: 'sketch' } });
  assert.deepEqual([status, body.images.length, body.parameters.model_id], [200, 1, 'sketch']);
  const { format, width, height } = await sharp(Buffer.from(body.images[0] ?? '', 'base64')).metadata();
  assert.deepEqual([format, width, height], ['png', 512, 512]);
  const info = infoOf(body);
  assert.deepEqual([info.ignored, info.cost_usd, info.sd_model_name], [['steps', 'cfg_scale'], '0.005', 'sketch']);
  const { data } = await call(key, 'GET', '/v1/account/ledger?limit=10');
  assert.deepEqual(data.items.map(({ kind }) => kind).sort(), ['charge', 'hold', 'release']);
});

test('every captured request is answered as its app expects', async () => {
  const key = await ownKey();
  const path = new URL('./requests.json', import.meta.url);
  const requests = JSON.parse(readFileSync(path, 'utf8')) as {
    app: string;
    method: string;
    path: string;
    body?: object;
  }[];
  assert.ok(requests.length >= 15);
  for (const { app, method, path, body } of requests) {
    const answer = await ask(key, path.replace('/sdapi/v1', ''), method === 'POST' ? body : undefined);
    assert.equal(answer.status, 200, `${app} ${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
    if (path.endsWith('2img')) assert.equal(answer.body.images.length, 1);
  }
});

test('the chosen model is that of the next orders, for this key only', async () => {
  const [key, other] = [await ownKey(), await ownKey()];
  const models = (await ask(key, '/sd-models')).body as unknown as { title: string }[];
  assert.ok(models.some(({ title }) => title === 'flux-2-pro'));
  assert.ok(!models.some(({ title }) => title === 'sketch-motion'), 'images only');
  const before = (await ask(other, '/options')).body.sd_model_checkpoint;
  assert.equal((await ask(key, '/options', { sd_model_checkpoint: 'flux-2-pro' })).status, 200);
  const after = [
    (await ask(key, '/options')).body.sd_model_checkpoint,
    (await ask(other, '/options')).body.sd_model_checkpoint,
  ];
  assert.deepEqual(after, ['flux-2-pro', before]);
  const made = await ask(key, '/txt2img', FOX);
  assert.deepEqual([made.status, (await tasksOf(key)).map(({ model_id: id }) => id)], [200, ['flux-2-pro']]);
  const unknown = await ask(key, '/options', { sd_model_checkpoint: 'v1-5-pruned.safetensors [6ce0161689]' });
  assert.deepEqual([unknown.status, unknown.body.error], [404, 'model_not_found']);
});

test('batch_size and n_iter order so many images together', async () => {
  const key = await ownKey();
  const { body } = await ask(key, '/txt2img', { ...FOX, model: 'sketch', batch_size: 2, n_iter: 2 });
  assert.deepEqual([body.images.length, (await tasksOf(key)).length], [4, 4]);
  const refused = await ask(key, '/txt2img', { ...FOX, model: 'sketch', batch_size: 4, n_iter: 3 });
  assert.equal(refused.status, 400);
  assert.match(refused.body.detail ?? '', /^batch_size: /);
});

test('pictures are used or refused, wherever they are', async () => {
  const key = await ownKey();
  const edit = { ...FOX, model: 'sketch', init_images: [PICTURE] };
  assert.equal((await ask(key, '/img2img', edit)).status, 200);
  const [task] = await tasksOf(key);
  assert.equal((task?.input as { image_urls: string[] } | undefined)?.image_urls.length, 1);
  const unit = { controlnet: { args: [{ image: PICTURE.split(',')[1], module: 'canny' }] } };
  for (const [path, body, name] of [
    ['/img2img', { ...FOX, model: 'sketch' }, 'init_images'],
    ['/txt2img', { ...FOX, model: 'sketch', alwayson_scripts: unit }, 'alwayson_scripts'],
    ['/img2img', { ...edit, mask: PICTURE, inpainting_mask_invert: 1 }, 'inpainting_mask_invert'],
  ] as const) {
    const { status, body: refusal } = await ask(key, path, body);
    assert.equal(status, 400, name);
    assert.match(refusal.detail ?? '', new RegExp(name));
  }
  assert.equal((await tasksOf(key)).length, 1);
});

test('a failed image is an error with its reason, and costs nothing', async () => {
  const key = await ownKey();
  const { status, body } = await ask(key, '/txt2img', {
    ...FOX,
    model: 'sketch',
    simulate: { outcome: 'content_policy' },
  });
  assert.deepEqual([status, body.error], [400, 'content_policy']);
  assert.ok((body.detail ?? '').length > 0);
  assert.deepEqual(
    (await tasksOf(key)).map(({ cost }) => cost.state),
    ['released'],
  );
});

test('interrupt cancels the newest open order of this interface, and no other order', async () => {
  const key = await ownKey({ concurrency: 1 });
  const slow = { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 3_600 } };
  await call(key, 'POST', '/v1/images', slow);
  assert.deepEqual((await ask(key, '/interrupt', {})).status, 200);
  const held = ask(key, '/txt2img', { ...FOX, model: 'sketch' });
  await until(
    async () => (await tasksOf(key)).length,
    (count) => count === 2,
  );
  const progress = await ask(key, '/progress');
  assert.deepEqual([progress.body.progress, (progress.body.state as { job_count: number }).job_count], [0, 1]);
  assert.equal((await ask(await ownKey(), '/interrupt', {})).status, 200, 'of another key there is none');
  assert.equal((await ask(key, '/interrupt', {})).status, 200);
  const { status, body } = await held;
  assert.deepEqual([status, body.error], [422, 'canceled']);
  assert.deepEqual((await tasksOf(key)).map(({ status }) => status).sort(), ['canceled', 'processing']);
  assert.equal(((await ask(key, '/progress')).body.state as { job_count: number }).job_count, 0);
});

test('an app that lost its connection gets its image by the next equal request, and pays once', async () => {
  const key = await ownKey();
  const slow = { ...FOX, model: 'sketch', simulate: { seconds: 1 } };
  const leaving = new AbortController();
  const headers = { authorization: basic(key), 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(slow), signal: leaving.signal };
  const sent = fetch(`${url}/sdapi/v1/txt2img`, request).catch(() => {});
  await until(
    async () => (await tasksOf(key)).length,
    (count) => count === 1,
  );
  leaving.abort();
  await sent;
  const { read } = service.database;
  const left = read.builder.selectFrom('openai_calls').select('id').where('left_at', 'is not', null);
  await until(
    () => read.first(left),
    (row) => row !== undefined,
  );
  assert.equal((await ask(key, '/txt2img', slow)).body.images.length, 1);
  assert.equal((await tasksOf(key)).length, 1);
  assert.equal((await ask(key, '/txt2img', slow)).status, 200);
  assert.equal((await tasksOf(key)).length, 2, 'another equal request is a new order');
});
