import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { falInputs, openFakeFal, openFakeReplicate, REPLICATE_INPUTS } from '@darkroom-service/engines/fakes';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService } from './helpers/service.ts';

const PICTURE = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#35a' } })
  .png()
  .toBuffer();
const picture = `data:image/png;base64,${PICTURE.toString('base64')}`;
const STAYS = '[[run=100000]]';

/** The service with both, and what each received for an order; or the refusal. */
async function open(t: TestContext) {
  const fakes = { fal: await openFakeFal(falInputs()), replicate: await openFakeReplicate(REPLICATE_INPUTS) };
  for (const fake of Object.values(fakes)) t.after(() => fake.stop());
  const { call, keys } = await startTestService(t, {
    env: {
      FAL_KEY: fakes.fal.key,
      DARKROOM_FAL_URL: fakes.fal.url,
      REPLICATE_API_TOKEN: fakes.replicate.key,
      DARKROOM_REPLICATE_URL: fakes.replicate.url,
    },
  });
  const total = () => fakes.fal.jobs.size + fakes.replicate.jobs.size;
  return async function order(type: 'images' | 'videos', fields: object): Promise<Record<string, unknown>> {
    const before = { all: total(), fal: fakes.fal.jobs.size };
    const { status, data, error } = await call(keys.live, 'POST', `/v1/${type}`, { prompt: STAYS, ...fields });
    if (error !== undefined) return { status, code: error.code, param: error.param };
    await until(total, (size) => size > before.all);
    await call(keys.live, 'POST', data.urls.cancel);
    const engine = fakes.fal.jobs.size > before.fal ? 'fal' : 'replicate';
    const { prompt: _, ...input } = [...fakes[engine].jobs.values()].at(-1)?.input ?? {};
    return { engine, ...input };
  };
}

test('shipped models are ordered from fal and Replicate in the words of each, or refused by name', async (t) => {
  const order = await open(t);
  assert.deepEqual(await order('images', { model_id: 'flux-2-pro', image_urls: [picture], aspect_ratio: 'auto' }), {
    engine: 'fal',
    image_urls: [picture],
    image_size: { width: 1440, height: 720 },
    output_format: 'jpeg',
    safety_tolerance: '2',
  });
  assert.deepEqual(await order('images', { model_id: 'flux-2-pro', output_format: 'webp', seed: 3 }), {
    engine: 'replicate',
    aspect_ratio: 'custom',
    width: 1024,
    height: 1024,
    output_format: 'webp',
    output_quality: 95,
    safety_tolerance: 2,
    seed: 3,
  });
  assert.deepEqual(await order('videos', { model_id: 'veo-3.1-lite', image_urls: [picture], duration: '4' }), {
    engine: 'fal',
    image_url: picture,
    resolution: '720p',
    aspect_ratio: 'auto',
    duration: '4s',
    generate_audio: true,
  });
  const seedream = { model_id: 'seedream-5-pro', resolution: '2K', aspect_ratio: '16:9' };
  assert.deepEqual(await order('images', seedream), { status: 400, code: 'unsupported_value', param: 'resolution' });
  const seedance = { model_id: 'seedance-2.0', prompt: null, first_frame_url: picture };
  assert.deepEqual(await order('videos', seedance), { status: 400, code: 'unsupported_value', param: 'prompt' });
});
