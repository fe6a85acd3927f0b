import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import sharp from 'sharp';
import { startTestService } from './helpers/service.ts';
import { silentVoice } from './helpers/silent-voice.ts';

const FACE = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#b86' } })
  .png()
  .toBuffer()
  .then((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);

/** A service with a key of fal, whose fake delivers the same for each order. */
async function open(t: TestContext, delivered: string) {
  const fake = await openFakeFal(falInputs(), () => delivered);
  t.after(() => fake.stop());
  const { call, keys, make, database } = await startTestService(t, {
    env: { FAL_KEY: fake.key, DARKROOM_FAL_URL: fake.url },
  });
  const { read } = database;
  return {
    film: async (resolution: string, duration: number) => {
      const film = { model_id: 'sketch-motion', prompt: 'a fox', aspect_ratio: '1:1', resolution, duration };
      return `task:${(await make(keys.live, '/v1/videos', film)).task_id}`;
    },
    /** Orders. Returns the quote, the charge and what is said about the result; the cost; the fake's input. */
    async order(body: object, path: '/v1/images' | '/v1/videos' = '/v1/videos') {
      const { data: quote } = await call(keys.live, 'POST', '/v1/prices', body);
      const task = await make(keys.live, path, body);
      assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
      const { cost, warnings = [] } = task;
      const costs = read.builder.selectFrom('task_costs').selectAll().where('task_id', '=', task.task_id);
      const [spent] = await read.all(costs);
      return {
        told: [
          `${quote.exact ? 'exactly' : 'at most'} ${quote.amount}`,
          `charged ${cost.amount}`,
          ...warnings.map(({ code, field }) => `${code} ${field}`),
        ],
        spent: spent?.expected,
        input: [...fake.jobs.values()].at(-1)?.input ?? {},
      };
    },
    refusal: async (body: object) => (await call(keys.live, 'POST', '/v1/videos', body)).error,
  };
}

test('a tool for films is priced by the length that its media have, and its result is compared with it', async (t) => {
  // A film of one second and 32x32 pixels.
  const { film, order, refusal } = await open(t, '[[end=film file=film]]');
  const short = await film('360p', 2);
  const large = await film('720p', 2);
  const spoken = async (model_id: string, seconds: number, fields: object) => {
    const { told, spent, input } = await order({ model_id, audio_url: silentVoice(seconds), ...fields });
    return [...told, `cost ${spent}`, Object.keys(input).sort().join(' ')].join(', ');
  };
  const synced = 'audio_url sync_mode video_url';
  const cut = await spoken('sync-lipsync-2', 1, { video_url: short });
  assert.equal(cut, `exactly 0.05, charged 0.05, cost 50000, ${synced}`);
  const looped = await spoken('sync-3', 3, { video_url: short, sync_mode: 'loop' });
  assert.equal(looped, `exactly 0.40, charged 0.133333, shorter audio_url, cost 400000, ${synced}`);
  const whole = await spoken('sync-3', 1, { video_url: short, sync_mode: 'silence' });
  assert.equal(whole, `exactly 0.266667, charged 0.133333, shorter video_url, cost 266667, ${synced}`);
  // Two seconds of video count as five, and nothing is known about the length of the result.
  const lips = await spoken('kling-lipsync', 3, { video_url: large });
  assert.equal(lips, 'exactly 0.07, charged 0.07, cost 70000, audio_url video_url');
  const face = { image_urls: [FACE] };
  const pictured = 'audio_url image_url resolution';
  const sung = await spoken('omnihuman-1.5', 1, face);
  assert.equal(sung, `exactly 0.16, charged 0.16, cost 160000, ${pictured}`);
  const drawn = await spoken('veed-fabric-1.0', 1, face);
  assert.equal(drawn, `exactly 0.15, charged 0.08, smaller resolution, cost 150000, ${pictured}`);

  const long = await refusal({ model_id: 'omnihuman-1.5', audio_url: silentVoice(31), ...face });
  assert.match(long?.message ?? '', /^At 1080p the voice may have 30 seconds\./);
  const small = await refusal({ model_id: 'kling-lipsync', audio_url: silentVoice(3), video_url: short });
  assert.match(small?.message ?? '', /each side must have at least 720 pixels/);

  const prompt = 'It walks on. [[end=film file=film]]';
  const longer = { prompt, video_url: large };
  const veo = await order({ model_id: 'veo-3.1-fast-extend', ...longer, generate_audio: false });
  assert.deepEqual(veo.told.slice(0, 2), ['exactly 0.70', 'charged 0.70']);
  const { video_url: _, ...input } = veo.input;
  assert.deepEqual(input, { prompt, aspect_ratio: 'auto', duration: '7s', generate_audio: false });
  const pixverse = await order({ model_id: 'pixverse-v6-extend', ...longer, duration: 3, style: 'clay' });
  assert.deepEqual([pixverse.told[0], pixverse.spent], ['exactly 0.135', 135_000]);
});

const PICTURE = { width: 48, height: 32 };

async function imageOf(width: number, height: number): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: '#375' } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}

test('an image is enlarged by a factor, and one that comes back too small costs what it is', async (t) => {
  const { order } = await open(t, '[[end=single]]');
  const enlarged = async (model_id: string, width: number, height: number, fields = {}) => {
    const body = { model_id, image_urls: [await imageOf(width, height)], ...fields };
    const { told, input } = await order(body, '/v1/images');
    const { image_url: _, ...words } = input;
    return [told.join(', '), words];
  };
  const { width, height } = PICTURE;
  const sent = { upscale_mode: 'factor', upscale_factor: 2, output_format: 'png' };
  assert.deepEqual(await enlarged('seedvr2', width / 2, height / 2), ['exactly 0.001, charged 0.001', sent]);
  assert.deepEqual(await enlarged('seedvr2', 1200, 1000, { factor: 4, output_format: 'jpeg' }), [
    'exactly 0.019, charged 0.001, smaller factor, other_format output_format',
    { upscale_mode: 'factor', upscale_factor: 4, output_format: 'jpg' },
  ]);
  assert.deepEqual(await enlarged('clarity-upscaler', width / 4, height / 4, { factor: 4 }), [
    'exactly 0.03, charged 0.03',
    { upscale_factor: 4 },
  ]);
});

test('a cut-out has alpha; one without is told', async (t) => {
  for (const [delivered, told] of [
    ['[[end=single file=cutout]]', ''],
    ['[[end=single]]', ', opaque background'],
  ] as const) {
    const { order } = await open(t, delivered);
    const image_urls = [await imageOf(PICTURE.width, PICTURE.height)];
    const cut = async (model_id: string) => {
      const found = await order({ model_id, image_urls }, '/v1/images');
      const { image_url: _, ...words } = found.input;
      return [found.told.join(', '), words];
    };
    const plain = await cut('pixelcut-background-remover');
    assert.deepEqual(plain, [`exactly 0.016, charged 0.016${told}`, { sync_mode: false, output_format: 'rgba' }]);
    assert.deepEqual(await cut('bria-rmbg-2'), [`exactly 0.018, charged 0.018${told}`, {}]);
  }
});
