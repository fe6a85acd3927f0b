import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fault, JsonObject } from '@darkroom-service/contract';
import { mapParameters } from '@darkroom-service/engines/adapters';
import { loadShippedCatalog, modelOf } from '../src/catalog/fixtures/sample-catalog.ts';
import { measureRequest } from '../src/catalog/measure-request.ts';
import { resolveRequest } from '../src/catalog/resolve-request.ts';
import { unsupportedFields } from '../src/catalog/route-coverage.ts';
import { orderOf } from './helpers/catalog-routes.ts';

const catalog = await loadShippedCatalog();
const A = 'https://example.com/a.png';
const B = 'https://example.com/b.png';
const FILM = 'https://example.com/film.mp4';
const SOUND = 'https://example.com/sound.mp3';

interface Wording {
  /** Null where fal cannot be asked. */
  readonly model: string | null;
  readonly input: JsonObject;
  /** The fields it cannot be asked for by the route that lacks the least. */
  readonly lacks: readonly string[];
}

/** What fal is asked for, where it alone is configured. @param picture the size of the pictures sent */
function wordingOf(name: string, body: JsonObject, picture = { width: 1600, height: 900 }): Wording {
  const model = modelOf(catalog, name);
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
  assert.ok(found.ok, JSON.stringify(found));
  const judged = model.routes
    .filter((route) => route.engine === 'fal')
    .map((route) => ({ route, faults: unsupportedFields(route, model, found.request) }));
  // A route for other values is farther than one that lacks a field.
  const distance = (faults: readonly Fault[]) =>
    faults.reduce((sum, { code }) => sum + (code === 'unsupported_field' ? 1 : 2), 0);
  const [best] = judged.sort((one, other) => distance(one.faults) - distance(other.faults));
  assert.ok(best !== undefined);
  const { route, faults } = best;
  const lacks = faults.map(({ param }) => String(param));
  if (lacks.length > 0) return { model: null, input: {}, lacks };
  const measured = found.request.media.map(({ field, index }) => ({ field, index, ...picture, durationSeconds: 3 }));
  const { request } = orderOf(measureRequest(model, found.request, measured).request, route, 'task');
  return {
    model: String(route.model),
    input: mapParameters(request, { parameters: route.parameters ?? {}, fixed: {} }),
    lacks,
  };
}

const said = (name: string, body: JsonObject, picture?: { width: number; height: number }) =>
  wordingOf(name, body, picture).input;
const lacking = (name: string, body: JsonObject) => wordingOf(name, body).lacks;

describe('what fal is asked for', () => {
  it('has sizes as pixels where its models take pixels', () => {
    assert.deepEqual(said('ideogram-v4', { rendering_speed: 'DEFAULT', seed: 7, aspect_ratio: '3:1' }), {
      prompt: 'a fox',
      num_images: 1,
      image_size: { width: 3536, height: 1184 },
      rendering_speed: 'BALANCED',
      output_format: 'jpeg',
      seed: 7,
    });
    assert.deepEqual(said('gpt-image-2', { image_urls: [A, B], resolution: '2K', quality: 'high' }), {
      prompt: 'a fox',
      num_images: 1,
      image_size: { width: 2560, height: 1440 },
      image_urls: [A, B],
      quality: 'high',
      output_format: 'png',
    });
  });

  it('has colours and styles in its own shapes', () => {
    const { colors, background_color } = said('recraft-v4.1', { colors: [[255, 0, 16]], background_color: [1, 2, 3] });
    assert.deepEqual(
      { colors, background_color },
      { colors: [{ r: 255, g: 0, b: 16 }], background_color: { r: 1, g: 2, b: 3 } },
    );
    const style = said('krea-2-large', { image_urls: [A, B], style_strength: 0.5 }).image_style_references;
    assert.deepEqual(style, [
      { image_url: A, strength: 0.5 },
      { image_url: B, strength: 0.5 },
    ]);
    assert.deepEqual(said('krea-2-large', { image_urls: [A] }).image_style_references, [{ image_url: A }]);
  });

  it('edits the first picture and refers to the others, where a model tells them apart', () => {
    const { image_url, reference_image_urls } = said('luma-uni-1', { image_urls: [A, B] });
    assert.deepEqual({ image_url, reference_image_urls }, { image_url: A, reference_image_urls: [B] });
  });

  it('has seconds as each model writes them', () => {
    assert.equal(said('luma-ray-3.2', { duration: 10 }).duration, '10s');
    assert.equal(said('kling-3.0', { duration: 10 }).duration, '10');
    assert.equal(said('kling-4.0', { duration: 30 }).duration, 30);
    assert.equal(said('ltx-2.5-pro', { duration: 8 }).duration, 8);
    assert.equal(said('ltx-2.5-pro', {}).duration, 'auto');
  });

  it('has shots in place of a prompt', () => {
    const shots = {
      prompt: null,
      duration: 5,
      multi_prompt: [
        { prompt: 'a fox', duration: 2 },
        { prompt: 'an owl', duration: 3 },
      ],
    };
    const { prompt, multi_prompt, duration } = said('kling-3.0', shots);
    assert.deepEqual(multi_prompt, [
      { prompt: 'a fox', duration: '2' },
      { prompt: 'an owl', duration: '3' },
    ]);
    assert.deepEqual([prompt, duration], [undefined, '5']);
  });

  it('has a ratio where the model would otherwise not follow the picture', () => {
    const frames = { first_frame_url: A, last_frame_url: B };
    assert.equal(said('pixverse-v6', frames, { width: 900, height: 1600 }).aspect_ratio, '9:16');
    assert.equal(said('pixverse-v6', frames, { width: 1500, height: 1000 }).aspect_ratio, '3:2');
    assert.equal(said('vidu-q3', { image_urls: [A] }, { width: 500, height: 480 }).aspect_ratio, '1:1');
    assert.equal(said('vidu-q3', { image_urls: [A] }, { width: 3000, height: 1000 }).aspect_ratio, '16:9');
    assert.equal(said('minimax-h3', {}).aspect_ratio, '16:9');
    assert.equal(said('minimax-h3', { image_urls: [A] }).aspect_ratio, 'adaptive');
  });

  it('is put to the endpoint of the mode and the size', () => {
    const asked = (name: string, body: JsonObject) => wordingOf(name, body).model;
    assert.equal(
      asked('kling-3.0', { resolution: '4k', first_frame_url: A }),
      'fal-ai/kling-video/v3/4k/image-to-video',
    );
    assert.equal(
      asked('kling-4.0', { reference_video_urls: [FILM], first_frame_url: A }),
      'kling/v4/reference-to-video',
    );
    assert.equal(asked('hailuo-2.3', { resolution: '1080P' }), 'fal-ai/minimax/hailuo-2.3/pro/text-to-video');
    assert.equal(asked('vidu-q3-turbo', { first_frame_url: A }), 'fal-ai/vidu/q3/image-to-video/turbo');
  });

  it('never leaves a wish out: what fal does not know is refused by name', () => {
    assert.deepEqual(lacking('minimax-h3', { duration: 4 }), ['duration']);
    assert.deepEqual(lacking('gpt-image-2', { image_urls: [A], mask_url: B }), ['mask_url']);
    assert.deepEqual(lacking('kling-4.0', { image_urls: [A], reference_audio_urls: [SOUND] }), [
      'reference_audio_urls',
    ]);
    assert.deepEqual(lacking('luma-ray-3.2', { resolution: '720p', hdr: true, exr_export: true }), ['exr_export']);
    assert.deepEqual(lacking('luma-ray-3.2', { resolution: '360p' }), ['resolution']);
    assert.deepEqual(lacking('kling-3.0', { voice_ids: ['a'] }), ['voice_ids']);
    assert.deepEqual(lacking('recraft-v4.1', { seed: 7 }), ['seed']);
    assert.deepEqual(lacking('grok-imagine-video-1.5', { first_frame_url: A, generate_audio: false }), [
      'generate_audio',
    ]);
  });
});
