import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { loadShippedCatalog } from '../../../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../../../src/catalog/resolve-request.ts';
import { mapFields } from './map-fields.ts';
import { mapSize } from './map-size.ts';

const catalog = await loadShippedCatalog();
const orderable = catalog.models.filter((model) => model.status !== 'retired');
const SIZES = ['256x256', '512x512', '1024x1024', '1536x1024', '1024x1536', '1792x1024', '720x1280', '3840x2160'];
const QUALITIES = ['standard', 'hd', 'low', 'medium', 'high', 'xhigh', 'max', 'auto', 'best'];

function modelOf(id: string): Model {
  const model = catalog.find(id);
  assert.ok(model !== null, id);
  return model;
}

/** Faults that are not about a missing reference. */
function faultsOf(model: Model, fields: JsonObject): string[] {
  const resolution = resolveRequest(model, fields, { purpose: 'quote' });
  return resolution.ok ? [] : resolution.faults.map(({ message }) => message);
}

test('whatever size, quality and style an OpenAI client asks for, every model accepts what it is mapped to', () => {
  for (const model of orderable) {
    for (const [index, size] of SIZES.entries()) {
      const body = {
        prompt: 'a fox',
        size,
        quality: QUALITIES[index % QUALITIES.length] ?? 'auto',
        style: 'vivid',
        background: 'transparent',
        output_format: 'jpeg',
        output_compression: 80,
        moderation: 'low',
      };
      const { fields } = mapFields(model, body, []);
      assert.deepEqual(faultsOf(model, fields), [], `${model.model_id} ${size}`);
    }
  }
});

test('a size is met exactly where the model can, otherwise in shape first and then in pixels', () => {
  for (const [id, size, expected] of [
    ['gpt-image-2', '1536x1024', { size: '1536x1024' }],
    ['sketch', '512x512', { size: '512x512' }],
    ['gpt-image-2', '512x512', { aspect_ratio: '1:1', resolution: '1K' }],
    ['kling-image-3', '1024x1024', { aspect_ratio: '1:1', resolution: '1K' }],
    ['kling-image-3', '1792x1024', { aspect_ratio: '16:9', resolution: '1K' }],
    ['kling-image-3', '2048x2048', { aspect_ratio: '1:1', resolution: '2K' }],
    ['ideogram-v4', '1024x1536', { aspect_ratio: '2:3' }],
    ['veo-3.1', '720x1280', { aspect_ratio: '9:16', resolution: '720p' }],
    ['veo-3.1', '1920x1080', { aspect_ratio: '16:9', resolution: '1080p' }],
  ] as const)
    assert.deepEqual(mapSize(modelOf(id), size)?.fields, expected, `${id} ${size}`);
});

test('a size that is only met approximately is named, one that is met exactly is not', () => {
  assert.deepEqual(mapFields(modelOf('sketch'), { size: '512x512' }, []).ignored, []);
  assert.deepEqual(mapFields(modelOf('gpt-image-2'), { size: '512x512' }, []).ignored, ['size']);
});

test('a quality becomes the one of that name, or the nearest of the same scale', () => {
  for (const [id, quality, expected, ignored] of [
    ['gpt-image-2', 'low', 'low', []],
    ['gpt-image-2', 'standard', 'medium', []],
    ['gpt-image-2', 'hd', 'high', []],
    ['gpt-image-2', 'max', 'high', ['quality']],
    ['gpt-image-2.6-flare', 'max', 'max', []],
    ['grok-imagine-image-2.0', 'hd', 'medium', ['quality']],
    ['midjourney', 'high', undefined, ['quality']],
    ['sketch', 'hd', undefined, ['quality']],
    ['gpt-image-2', 'best', undefined, ['quality']],
    ['sketch', 'auto', undefined, []],
  ] as const) {
    const mapped = mapFields(modelOf(id), { quality }, []);
    assert.deepEqual([mapped.fields.quality, mapped.ignored], [expected, ignored], `${id} ${quality}`);
  }
});

test('a wrong value of a field that only the model has is left for the model to refuse', () => {
  const { fields, ignored } = mapFields(modelOf('sketch'), { seed: 'x', colour: 'red' }, []);
  assert.deepEqual([fields, ignored], [{ seed: 'x' }, ['colour']]);
});
