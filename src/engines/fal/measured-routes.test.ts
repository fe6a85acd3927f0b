import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadShippedCatalog } from '../../catalog/fixtures/sample-catalog.ts';
import { measureRequest } from '../../catalog/measure-request.ts';
import { resolveRequest } from '../../catalog/resolve-request.ts';
import { mapParameters } from '../upstream/map-parameters.ts';

const image_urls = ['https://example.com/a.png'];

/** Returns the input sent to fal for an order whose only picture has these sides. */
async function said(modelId: string, upstream: string, body: object, width: number, height: number) {
  const { models } = await loadShippedCatalog();
  const model = models.find(({ model_id }) => model_id === modelId);
  const route = model?.routes.find((one) => one.model === upstream);
  assert.ok(model && route?.parameters, upstream);
  const found = resolveRequest(model, { prompt: 'a fox', image_urls, ...body } as never, { purpose: 'create' });
  assert.ok(found.ok, JSON.stringify(found));
  const measured = { kind: 'image', bytes: 900_000, width, height, durationSeconds: null } as const;
  const { request, faults } = measureRequest(model, found.request, [{ field: 'image_urls', index: 0, ...measured }]);
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

test('an edit by FLUX.2 that follows its picture is ordered in the pixels that were priced', async () => {
  const { image_size } = await said('flux-2-pro', 'fal-ai/flux-2-pro/edit', { aspect_ratio: 'auto' }, 3000, 1500);
  const { width, height } = image_size as { width: number; height: number };
  assert.ok(Math.abs(width / height - 2) < 0.05 && width * height <= 1_048_576, `${width}x${height}`);
});
