import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSdServerEngine } from '@darkroom-service/engines/adapters';
import { openFakeSdServer } from '@darkroom-service/engines/fakes';
import sharp from 'sharp';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';
import { startTestService } from '../../helpers/service.ts';

engineConformance('sd-server', {
  isFree: true,
  openFake: openFakeSdServer,
  openEngine: (fake, { key, ...tools }) =>
    createSdServerEngine({ ...tools, url: fake.url, authorization: `Bearer ${key}`, atOnce: 50 }),
  insideAnswer: true,
  cancelsOnlyWaiting: true,
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
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { width: 704, height: 384, seed: 3 } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=generation_failed': { status: 'failed', code: 'upstream_error', message: /no results/ },
    'end=cancelled': STOPPED,
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
    // Of 60 × 40 pixels, in whole blocks of 64.
    const upright = name === 'turned' ? [832, 1280] : [1280, 832];
    assert.deepEqual([received.format, received.channels, received.width, received.height], ['png', 3, ...upright]);
  }
});

test('pictures have the size that was ordered, although the model renders whole blocks of 64 pixels', async (t) => {
  const fake = await openFakeSdServer();
  t.after(() => fake.stop());
  const env = { DARKROOM_SD_SERVER_URL: fake.url, DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}` };
  const { make, keys } = await startTestService(t, { env });
  const picture = await sharp({ create: { width: 120, height: 68, channels: 3, background: '#274' } })
    .composite([{ input: { create: { width: 60, height: 68, channels: 3, background: '#c30' } }, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const orders = {
    text: { aspect_ratio: '16:9' },
    edit: { image_urls: [`data:image/png;base64,${picture.toString('base64')}`], aspect_ratio: '16:9' },
  };
  for (const [name, fields] of Object.entries(orders)) {
    const task = await make(keys.live, '/v1/images', {
      model_id: 'local-image',
      prompt: `a fox [[job=${name}]]`,
      ...fields,
    });
    const [output] = task.outputs;
    assert.deepEqual([output.width, output.height], [1360, 768], name);
  }
  const input = [...fake.jobs.values()].find((job) => job.name === 'edit')?.input ?? {};
  assert.deepEqual([input.width, input.height], [1408, 768]);
  const sent = sharp(Buffer.from(String(input.init_image).split(',')[1] ?? '', 'base64'));
  const { data, info } = await sent.raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [1408, 768]);
  const redAt = (x: number) => data[x * info.channels] ?? 0;
  // The middle stays in the middle, and the edges go on beyond it.
  assert.deepEqual([redAt(0) > 150, redAt(660) > 150, redAt(740) > 150, redAt(1407) > 150], [true, true, false, false]);
});
