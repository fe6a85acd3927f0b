import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapParameters } from '@darkroom-service/engines/adapters';
import { loadShippedCatalog } from '../../../src/catalog/fixtures/sample-catalog.ts';
import { measureRequest } from '../../../src/catalog/measure-request.ts';
import { resolveRequest } from '../../../src/catalog/resolve-request.ts';

const image_urls = ['https://example.com/a.png'];

/** Returns the input sent to fal for an order whose only picture has these sides. */
async function said(modelId: string, upstream: string, body: object, width: number, height: number, which = 0) {
  const { models } = await loadShippedCatalog();
  const model = models.find(({ model_id }) => model_id === modelId);
  const route = model?.routes.filter((one) => one.model === upstream)[which];
  assert.ok(model && route?.parameters, upstream);
  const found = resolveRequest(model, JSON.parse(JSON.stringify({ prompt: 'a fox', image_urls, ...body })), {
    purpose: 'create',
  });
  assert.ok(found.ok, JSON.stringify(found));
  const measured = { kind: 'image', bytes: 900_000, width, height, durationSeconds: null } as const;
  const fields = found.request.media.map(({ field }) => ({ field, index: 0, ...measured }));
  const { request, faults } = measureRequest(model, found.request, fields);
  assert.deepEqual(faults, []);
  return mapParameters(request, { parameters: route.parameters, fixed: {} });
}

test('HappyHorse keeps characters at the ratio of its list that is nearest to their first picture', async () => {
  const route = 'alibaba/happy-horse/v1.1/reference-to-video';
  for (const [width, height, ratio] of [
    [1000, 1000, '1:1'],
    [1500, 500, '21:9'],
    [1900, 1000, '16:9'],
    [1280, 960, '4:3'],
    [1000, 820, '5:4'],
    [800, 1000, '4:5'],
    [900, 1200, '3:4'],
    [720, 1280, '9:16'],
    [500, 1500, '9:21'],
  ] as const) {
    const { aspect_ratio } = await said('happyhorse-1.1', route, {}, width, height);
    assert.equal(aspect_ratio, ratio, `${width}x${height}`);
  }
  const { aspect_ratio } = await said('happyhorse-1.1', route, { aspect_ratio: '16:9' }, 500, 1500);
  assert.equal(aspect_ratio, '16:9');
});

test('an upstream that follows pictures is told no ratio that nobody chose', async () => {
  for (const [model, route, ratio] of [
    ['grok-imagine-video', 'grok-imagine-video', undefined],
    ['grok-imagine-video', 'xai/grok-imagine-video/image-to-video', 'auto'],
    ['veo-3.1', 'fal-ai/veo3.1/image-to-video', 'auto'],
    ['veo-3.1-lite', 'fal-ai/veo3.1/lite/first-last-frame-to-video', 'auto'],
  ] as const) {
    const frame = { image_urls: undefined, first_frame_url: image_urls[0] };
    assert.equal((await said(model, route, frame, 900, 1200)).aspect_ratio, ratio, route);
  }
  const edits = [
    ['nano-banana-pro', 'fal-ai/nano-banana-pro/edit'],
    ['nano-banana-2-lite', 'google/nano-banana-lite/edit'],
  ] as const;
  for (const [model, route] of edits)
    assert.equal((await said(model, route, {}, 900, 1200)).aspect_ratio, 'auto', route);
});

test('an upstream that follows no picture gets the ratio of its list that is nearest to it', async () => {
  const reference = 'fal-ai/kling-video/o3/standard/reference-to-video';
  assert.equal((await said('kling-o3', reference, {}, 900, 1600)).aspect_ratio, '9:16');
  assert.equal((await said('kling-o3', reference, {}, 1000, 900)).aspect_ratio, '1:1');
  assert.equal((await said('kling-o3', reference, { aspect_ratio: '16:9' }, 900, 1600)).aspect_ratio, '16:9');
  const text = { image_urls: undefined };
  assert.equal((await said('veo-3.1', 'fal-ai/veo3.1', text, 1, 1)).aspect_ratio, '16:9');
  assert.equal((await said('nano-banana-pro', 'fal-ai/nano-banana-pro', text, 1, 1)).aspect_ratio, '1:1');
});

test('an edit by Seedream in pixels that fal does not take is left to fal', async () => {
  const edit = async (body: object, width: number, height: number, which: number) =>
    (await said('seedream-5-pro', 'bytedance/seedream/v5/pro/edit', body, width, height, which)).image_size;
  assert.deepEqual(await edit({}, 1000, 1000, 1), { width: 2048, height: 2048 });
  assert.equal(await edit({}, 1600, 900, 1), 'auto_2K');
  assert.equal(await edit({ resolution: '1K' }, 1200, 900, 1), 'auto_1K');
  assert.deepEqual(await edit({ aspect_ratio: '16:9', resolution: '1K' }, 900, 900, 0), { width: 1424, height: 800 });
});

test('an edit by FLUX.2 that follows its picture is ordered in the pixels that were priced', async () => {
  const { image_size } = await said('flux-2-pro', 'fal-ai/flux-2-pro/edit', { aspect_ratio: 'auto' }, 3000, 1500);
  const { width, height } = image_size as { width: number; height: number };
  assert.ok(Math.abs(width / height - 2) < 0.05 && width * height <= 1_048_576, `${width}x${height}`);
});
