import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { APICallError, generateImage } from 'ai';
import sharp from 'sharp';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { prepare } from './prepare.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;
const service = await startTestService(wholeFile);
const CREATE = /^POST \/v1\/images$/;
const SMALL = { darkroom: { resolution: '0.5K' } };

async function failure(call: Promise<unknown>): Promise<APICallError & { readonly data: Record<string, unknown> }> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!APICallError.isInstance(error)) return assert.fail(String(error));
  return error as APICallError & { readonly data: Record<string, unknown> };
}

test('images are ordered once each, with what they cost', async (t) => {
  const { provider, images, charges } = await prepare(t, service);
  const model = provider.image('sketch');
  const result = await generateImage({
    model,
    prompt: 'a red fox',
    n: 3,
    aspectRatio: '16:9',
    seed: 7,
    providerOptions: SMALL,
  });
  assert.equal(result.images.length, 3);
  const { format, width = 0, height = 0 } = await sharp(result.image.uint8Array).metadata();
  assert.deepEqual([format, width > height], ['png', true]);
  assert.deepEqual(result.warnings, []);
  const told = result.providerMetadata.darkroom?.images as unknown as readonly {
    taskId: string;
    cost: { amount: string };
  }[];
  const tasks = await images();
  assert.deepEqual(told.map(({ taskId }) => taskId).sort(), tasks.map((task) => task.task_id).sort());
  assert.deepEqual(
    (await charges()).map(({ amount }) => amount).sort(),
    told.map(({ cost }) => `-${cost.amount}`).sort(),
  );
});

test('lost answers, and the retries of the AI SDK, order nothing twice', async (t) => {
  const { provider, proxy, images, charges } = await prepare(t, service, { retries: 1 });
  proxy.fail(CREATE, 'lose answer', 'lose answer');
  const call = { model: provider.image('sketch'), prompt: 'a red fox', providerOptions: SMALL, maxRetries: 2 };
  const error = await failure(generateImage(call));
  assert.deepEqual([error.isRetryable, error.data.code, error.data.ordered], [false, 'connection_error', 'unknown']);
  assert.equal((await images()).length, 1);

  const again = await generateImage({ ...call, headers: { 'idempotency-key': String(error.data.idempotencyKey) } });
  assert.equal(again.images.length, 1);
  assert.equal((await images()).length, 1);
  assert.equal((await charges()).length, 1);
});

test('with a key of the caller the AI SDK repeats a lost call, and finds its task', async (t) => {
  const { provider, proxy, images } = await prepare(t, service, { retries: 0 });
  proxy.fail(CREATE, 'lose answer', { status: 502, body: '' });
  const headers = { 'Idempotency-Key': 'order-1' };
  await generateImage({ model: provider.image('sketch'), prompt: 'a red fox', providerOptions: SMALL, headers });
  assert.equal((await images()).length, 1);
});

test('a picture that is refused by the content policy is ordered once, and told with its reason', async (t) => {
  const { provider, images, charges } = await prepare(t, service);
  const simulate = { outcome: 'content_policy', seconds: 0 };
  const providerOptions = { darkroom: { ...SMALL.darkroom, simulate } };
  const error = await failure(generateImage({ model: provider.image('sketch'), prompt: 'a red fox', providerOptions }));
  assert.match(error.message, /content policy.*Nothing was charged/);
  assert.equal(error.data.charged, false);
  assert.equal(error.data.code, 'content_policy');
  const [task, ...others] = await images();
  assert.deepEqual([task?.task_id, others.length], [error.data.taskId, 0]);
  assert.deepEqual(await charges(), []);
});

test('of several images those that were made are returned, with a warning for the one that was not', async (t) => {
  const { provider, proxy, images } = await prepare(t, service);
  const error = {
    code: 'queue_full',
    message: 'full',
    param: null,
    details: [],
    retryable: false,
    request_id: '',
    docs_url: '',
  };
  proxy.fail(CREATE, { status: 429, body: JSON.stringify({ error }) });
  const result = await generateImage({
    model: provider.image('sketch'),
    prompt: 'a fox',
    n: 2,
    providerOptions: SMALL,
  });
  assert.equal(result.images.length, 1);
  assert.deepEqual(result.warnings, [{ type: 'other', message: 'One output is missing: full' }]);
  assert.equal((await images()).length, 2);
});

test('an image is edited from bytes', async (t) => {
  const { provider, images } = await prepare(t, service);
  const photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#367' } })
    .png()
    .toBuffer();
  const prompt = { images: [photo], text: 'mountains at night' };
  await generateImage({ model: provider.image('sketch'), prompt, size: '512x512', providerOptions: {} });
  const [task] = await images();
  assert.match(String(task?.input.image_urls), /^upload:/);
  assert.equal(task?.input.size, '512x512');
});

test('an option that the model does not have is warned of, and a size becomes an aspect ratio', async (t) => {
  const { provider, images } = await prepare(t, service);
  const prompt = { images: [], text: 'a castle', mask: new Uint8Array([1]) };
  const { warnings } = await generateImage({ model: provider.image('sketch-grid'), prompt, size: '1024x1024' });
  assert.deepEqual(
    warnings.map((one) => (one.type === 'other' ? one : [one.type, 'feature' in one ? one.feature : null])),
    [
      ['compatibility', 'size'],
      ['unsupported', 'mask'],
    ],
  );
  assert.equal((await images())[0]?.input.aspect_ratio, '1:1');
});

test('a refusal names the field; an unknown model, and an abort, are told as such', async (t) => {
  const { provider, images } = await prepare(t, service);
  const refused = await failure(
    generateImage({ model: provider.image('sketch'), prompt: 'a fox', aspectRatio: '7:3' }),
  );
  assert.deepEqual([refused.statusCode, refused.data.code], [400, 'unsupported_value']);
  assert.equal(
    (await failure(generateImage({ model: provider.image('nothing'), prompt: 'a fox' }))).data.code,
    'model_not_found',
  );
  const controller = new AbortController();
  const simulate = { outcome: 'stuck' };
  const call = { model: provider.image('sketch'), prompt: 'a fox', providerOptions: { darkroom: { simulate } } };
  const waiting = generateImage({ ...call, abortSignal: controller.signal }).catch((error: unknown) => error);
  await until(images, (made) => made.length === 1);
  controller.abort();
  assert.equal(((await waiting) as Error).name, 'AbortError');
});
