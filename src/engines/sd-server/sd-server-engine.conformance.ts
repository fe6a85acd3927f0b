import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { engineConformance } from '../../../test/engine-conformance.ts';
import { openFakeSdServer } from '../../../test/fakes/sd-server.ts';
import { startTestService } from '../../../test/service.ts';
import { createSdServerEngine } from './sd-server-engine.ts';

engineConformance('sd-server', {
  openFake: openFakeSdServer,
  openEngine: (fake, { key, ...tools }) =>
    createSdServerEngine({ ...tools, url: fake.url, authorization: `Bearer ${key}`, atOnce: 50 }),
  insideAnswer: true,
  routes: [
    {
      engine: 'sd-server',
      model: 'img_gen',
      parameters: {
        prompt: 'prompt',
        seed: 'seed',
        width: 'width',
        height: 'height',
        image_urls: { to: 'init_image', take: 'first' },
      },
      fixed: { output_format: 'png' },
    },
  ],
  inputs: [
    { fields: { seed: 7 }, input: { width: 512, height: 512, seed: 7 } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { width: 672, height: 384, seed: 3 } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=generation_failed': { status: 'failed', code: 'upstream_error', message: /no results/ },
    'end=cancelled': { status: 'canceled' },
  },
  references: { inline: 64 * 1024 * 1024, uploads: false, field: 'init_image' },
});

test('the server gets pictures and prompts that it can read, and files that name nothing', async (t) => {
  const fake = await openFakeSdServer();
  t.after(() => fake.stop());
  const env = { DARKROOM_SD_SERVER_URL: fake.url, DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}` };
  const { make, keys } = await startTestService(t, { env });
  const grey = sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } }).toColourspace('b-w');
  const pictures = {
    grey: await grey.clone().png().toBuffer(),
    turned: await grey.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    avif: await grey.clone().avif().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(pictures)) {
    const image = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
    const body = { model_id: 'local-image', prompt: `(fox:.) [[job=${name}]]`, image_urls: [image] };
    assert.equal((await make(keys.live, '/v1/images', body)).status, 'succeeded', name);
    const [input] = [...fake.jobs.values()].filter((job) => job.name === name).map((job) => job.input);
    assert.equal(input?.prompt, `(fox:. ) [[job=${name}]]`);
    const received = await sharp(Buffer.from(String(input?.init_image).split(',')[1] ?? '', 'base64')).metadata();
    const upright = name === 'turned' ? [40, 60] : [60, 40];
    assert.deepEqual([received.format, received.channels, received.width, received.height], ['png', 3, ...upright]);
  }
});
