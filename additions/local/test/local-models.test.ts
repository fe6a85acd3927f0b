import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeComfy, openFakeSdServer } from '@darkroom-service/engines/fakes';
import type { FakeUpstream } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService } from '../../../test/helpers/service.ts';

const PICTURE = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#35a' } })
  .png()
  .toBuffer();
const image_urls = [`data:image/png;base64,${PICTURE.toString('base64')}`];
const STAYS = '[[run=100000]]';

test('the local models are ordered from ComfyUI in the words of the shipped workflows', async (t) => {
  const fake = await openFakeComfy();
  t.after(() => fake.stop());
  const service = await startTestService(t, {
    env: { DARKROOM_COMFYUI_URL: `${fake.url}/, ${fake.url}`, DARKROOM_COMFYUI_AUTHORIZATION: `Bearer ${fake.key}` },
  });
  const order = orders(service, fake);
  assert.deepEqual(await order('images', { model_id: 'local-image', aspect_ratio: '16:9', seed: 5 }), {
    prompt: STAYS,
    seed: 5,
    width: 1360,
    height: 768,
  });
  const led = await order('images', { model_id: 'local-image', image_urls, strength: 0.3, seed: 5 });
  assert.deepEqual([led.strength, led.width, fake.uploads.get(led.image)?.equals(PICTURE)], [0.3, 1024, true]);
  const film = await order('videos', { model_id: 'local-video', duration: 5, seed: 5 });
  assert.deepEqual([film.length, film.width % 16, film.height % 16, film.image], [81, 0, 0, undefined]);
  const animated = await order('videos', { model_id: 'local-video', duration: '2', image_urls, aspect_ratio: 'auto' });
  assert.deepEqual([animated.length, animated.width === animated.height], [33, true]);
  assert.ok(fake.uploads.has(animated.image));
});

test('a picture of ComfyUI is stored without the operator’s workflow in it', async (t) => {
  const fake = await openFakeComfy();
  t.after(() => fake.stop());
  const { keys, make } = await startTestService(t, {
    env: { DARKROOM_COMFYUI_URL: fake.url, DARKROOM_COMFYUI_AUTHORIZATION: `Bearer ${fake.key}` },
  });
  const task = await make(keys.live, '/v1/images', { model_id: 'local-image', prompt: 'a fox', seed: 5 });
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const [job] = fake.jobs.values();
  const query = `filename=${job?.id}_0_.png&subfolder=&type=output`;
  const made = await fetch(`${fake.url}/view?${query}`, { headers: { authorization: `Bearer ${fake.key}` } });
  const [there, here] = await Promise.all(
    [made, await fetch(task.outputs[0]?.url ?? '')].map(async (file) => Buffer.from(await file.arrayBuffer())),
  );
  assert.ok(there !== undefined && here !== undefined && there.includes('KSampler'));
  assert.ok(!here.includes('KSampler') && !here.includes('prompt'));
  const pixels = (file: Buffer) => sharp(file).raw().toBuffer();
  assert.ok((await pixels(here)).equals(await pixels(there)));
  assert.deepEqual([task.outputs[0]?.bytes, task.outputs[0]?.sha256?.length], [here.length, 64]);
});

test('the local models are ordered from sd-server in its words', async (t) => {
  const fake = await openFakeSdServer();
  t.after(() => fake.stop());
  const service = await startTestService(t, {
    env: { DARKROOM_SD_SERVER_URL: fake.url, DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}` },
  });
  const order = orders(service, fake);
  assert.deepEqual(await order('images', { model_id: 'local-image', seed: 5, negative_prompt: 'dogs' }), {
    prompt: STAYS,
    negative_prompt: 'dogs',
    seed: 5,
    width: 1024,
    height: 1024,
  });
  const film = await order('videos', { model_id: 'local-video', duration: 3, image_urls, seed: 5 });
  assert.deepEqual([film.video_frames, film.fps, film.init_image], [49, 16, image_urls[0]]);
});

/** What the upstreams are sent, as far as the tests read it. */
interface Sent {
  readonly strength: number;
  readonly width: number;
  readonly height: number;
  readonly image: string;
  readonly length: number;
  readonly video_frames: number;
  readonly fps: number;
  readonly init_image: string;
}

/**
 * Orders, waits until it arrived, and answers what did. Each is canceled or left behind, so that the next one has room.
 */
function orders(service: Awaited<ReturnType<typeof startTestService>>, fake: FakeUpstream) {
  return async (type: 'images' | 'videos', fields: object) => {
    const before = fake.jobs.size;
    const { data, error } = await service.call(service.keys.live, 'POST', `/v1/${type}`, { prompt: STAYS, ...fields });
    assert.equal(error, undefined, JSON.stringify(error));
    await until(
      () => fake.jobs.size,
      (size) => size > before,
    );
    if (data.can_cancel === true) await service.call(service.keys.live, 'POST', data.urls.cancel);
    const input: object | undefined = [...fake.jobs.values()].at(-1)?.input;
    return input as Sent;
  };
}
