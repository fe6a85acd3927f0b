import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { shippedEntry } from '../helpers/catalog-overlay.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * What test keys are delivered of shipped models, read back by other software: sizes, formats, length, frames and
 * sound.
 */

const service = await startTestService(wholeFile);
const { keys, make } = service;

async function fileOf(task: TaskAnswer): Promise<Buffer> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error ?? task));
  const response = await fetch(task.outputs[0].url);
  assert.equal(response.headers.get('content-type'), task.outputs[0].content_type);
  return Buffer.from(await response.arrayBuffer());
}

interface Order {
  readonly model_id: string;
  readonly resolution?: string;
  readonly aspect_ratio?: string;
  readonly [field: string]: unknown;
}

/** Pixels of the tiers of the contract. */
const TIERS: Record<string, number> = { '0.5K': 512 ** 2, '1K': 2 ** 20, '2K': 2 ** 22 };

/**
 * The size that the contract promises: the entry's table, else the tier's area at the ratio in multiples of sixteen.
 */
async function assertSize(vendor: string, order: Order, { width, height }: { width: number; height: number }) {
  const { sizing, parameters } = await shippedEntry(vendor, order.model_id);
  const tier = order.resolution ?? (parameters.resolution?.default as string | null) ?? sizing?.tier ?? '1K';
  const ratio = order.aspect_ratio ?? (parameters.aspect_ratio?.default as string);
  const listed = sizing?.table?.[tier]?.[ratio];
  const where = `${JSON.stringify(order)} ${width}x${height}`;
  if (listed !== undefined) return assert.equal(`${width}x${height}`, listed, where);
  const [across = 1, down = 1] = /^\d/.test(ratio) ? ratio.split(':').map(Number) : [1, 1];
  const own = sizing?.tiers?.[tier];
  const area = own === undefined ? (TIERS[tier.toUpperCase()] ?? Number.NaN) : own[0] * own[1];
  const step = sizing?.multiple_of ?? 16;
  assert.deepEqual([width % step, height % step], [0, 0], where);
  assert.ok(width * height <= area && width * height > area * 0.93, `${where}, expected about ${area} pixels`);
  assert.ok(Math.abs(Math.log(width / height / (across / down))) < 0.05, where);
}

const STILLS: readonly (readonly [string, Order, string])[] = [
  ['darkroom', { model_id: 'sketch', resolution: '0.5K', aspect_ratio: '1:1' }, 'png'],
  ['darkroom', { model_id: 'sketch', resolution: '0.5K', aspect_ratio: '16:9', output_format: 'webp' }, 'webp'],
  ['darkroom', { model_id: 'sketch', resolution: '0.5K', aspect_ratio: '1:8', output_format: 'jpeg' }, 'jpeg'],
  ['black-forest-labs', { model_id: 'flux-2-pro', aspect_ratio: '16:9', output_format: 'png' }, 'png'],
  ['black-forest-labs', { model_id: 'flux-2-klein-4b', aspect_ratio: '3:4' }, 'jpeg'],
  ['google', { model_id: 'nano-banana-2-lite', aspect_ratio: '21:9' }, 'png'],
  ['alibaba', { model_id: 'z-image-turbo', aspect_ratio: '9:16', output_format: 'webp' }, 'webp'],
  ['kling', { model_id: 'kling-image-3', aspect_ratio: '3:2' }, 'png'],
  ['xai', { model_id: 'grok-imagine-image', aspect_ratio: '2:3' }, 'jpeg'],
];

for (const [vendor, wish, format] of STILLS) {
  test(`${wish.model_id} at ${wish.aspect_ratio} comes as ${format} in the size of its entry`, async () => {
    const order = { ...wish, prompt: 'a harbour in the morning' };
    const task = await make(keys.test, '/v1/images', order);
    const bytes = await fileOf(task);
    const picture = await sharp(bytes).metadata();
    const [output] = task.outputs;
    assert.deepEqual([picture.format, output.content_type], [format, `image/${format}`]);
    assert.deepEqual([picture.width, picture.height, bytes.byteLength], [output.width, output.height, output.bytes]);
    await assertSize(vendor, order, { width: picture.width, height: picture.height });
    const { channels } = await sharp(bytes).stats();
    assert.ok(
      channels.some(({ stdev }) => stdev > 3),
      'it is a picture of something',
    );
  });
}

test('exact pixels are delivered to the pixel', async () => {
  for (const size of ['320x200', '123x457']) {
    const task = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size });
    const { width, height } = await sharp(await fileOf(task)).metadata();
    assert.equal(`${width}x${height}`, size);
  }
});

test("auto follows the first picture's ratio, else it is square", async () => {
  const png = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#282' } })
    .png()
    .toBuffer();
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', aspect_ratio: 'auto' };
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const wide = await sharp(
    await fileOf(await make(keys.test, '/v1/images', { ...order, image_urls: [source] })),
  ).metadata();
  assert.ok(Math.abs(wide.width / wide.height - 3) < 0.1, `${wide.width}x${wide.height}`);
  const alone = await sharp(await fileOf(await make(keys.test, '/v1/images', order))).metadata();
  assert.deepEqual([alone.width, alone.height], [512, 512]);
});

test("a test key's picture of the service's own models is the live one; another vendor's carries a mark", async () => {
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', seed: 5 };
  const pixels = async (key: string, body: object) =>
    await sharp(await fileOf(await make(key, '/v1/images', body)))
      .raw()
      .toBuffer();
  const own = await pixels(keys.test, order);
  assert.ok(own.equals(await pixels(keys.live, order)));
  const square = { prompt: 'a fox', aspect_ratio: '1:1', output_format: 'png', seed: 5 };
  const foreign = await pixels(keys.test, { ...square, model_id: 'z-image-turbo' });
  const same = await pixels(keys.test, { ...square, model_id: 'sketch', resolution: '1K' });
  assert.equal(foreign.byteLength, same.byteLength);
  let marked = 0;
  for (const [index, value] of foreign.entries()) if (value !== same[index]) marked++;
  const share = marked / foreign.byteLength;
  assert.ok(share > 0.0005 && share < 0.05, `${share} of the picture differs by its mark`);
});

const FILMS: readonly (readonly [Order, { seconds: number; width: number; height: number; audio: boolean }])[] = [
  [
    { model_id: 'sketch-motion', resolution: '360p', duration: 1 },
    { seconds: 1, width: 640, height: 360, audio: true },
  ],
  [
    { model_id: 'sketch-motion', resolution: '360p', duration: '2', generate_audio: false, aspect_ratio: '1:1' },
    { seconds: 2, width: 480, height: 480, audio: false },
  ],
  [
    { model_id: 'pixverse-v6', resolution: '360p', duration: 1 },
    { seconds: 1, width: 640, height: 360, audio: false },
  ],
  [
    { model_id: 'grok-imagine-video-1.5-lite', resolution: '480p', duration: 1, aspect_ratio: '9:16' },
    { seconds: 1, width: 480, height: 854, audio: true },
  ],
  [
    { model_id: 'vidu-q3', resolution: '540p', duration: 1 },
    { seconds: 1, width: 960, height: 540, audio: true },
  ],
];

for (const [wish, expected] of FILMS) {
  const sound = expected.audio ? 'with sound' : 'silent';
  test(`${wish.model_id} at ${wish.resolution} comes as a film of ${expected.seconds} s, ${sound}`, async () => {
    const task = await make(keys.test, '/v1/videos', { ...wish, prompt: 'a harbour in the morning' });
    const bytes = await fileOf(task);
    const [output] = task.outputs;
    assert.equal(output.content_type, 'video/mp4');
    const film = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS });
    const pictures = await film.getPrimaryVideoTrack();
    assert.ok(pictures);
    const { packetCount } = await pictures.computePacketStats();
    const seconds = await pictures.computeDuration();
    const size = [pictures.displayWidth, pictures.displayHeight];
    // Sides are multiples of eight at the area of the tier.
    assert.ok(
      Math.abs((size[0] ?? 0) - expected.width) <= 8 && Math.abs((size[1] ?? 0) - expected.height) <= 8,
      `${size}`,
    );
    assert.deepEqual(size, [output.width, output.height]);
    assert.equal(packetCount, Math.round(output.fps * expected.seconds), 'every frame is there');
    assert.ok(Math.abs(seconds - expected.seconds) < 0.5 / output.fps, `${seconds} s`);
    assert.equal(output.duration_seconds, expected.seconds);
    const tone = await film.getPrimaryAudioTrack();
    assert.deepEqual([tone !== null, output.has_audio], [expected.audio, expected.audio]);
    if (tone !== null) assert.ok(Math.abs((await tone.computeDuration()) - expected.seconds) < 0.1);
    const thumbnail = await sharp(Buffer.from(await (await fetch(output.thumbnail_url)).arrayBuffer())).metadata();
    assert.equal(thumbnail.format, 'webp');
    assert.ok(Math.abs(thumbnail.width / thumbnail.height - output.width / output.height) < 0.05);
  });
}

test('a film begins with its first frame and may follow an earlier picture or film of the key', async () => {
  const still = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  const film = await make(keys.test, '/v1/videos', {
    model_id: 'sketch-motion',
    prompt: 'a fox runs',
    resolution: '360p',
    duration: 1,
    first_frame_url: `task:${still.task_id}`,
  });
  await fileOf(film);
  assert.deepEqual(film.input.first_frame_url, `task:${still.task_id}`);
  const follow = await make(keys.test, '/v1/videos', {
    model_id: 'gemini-omni-flash-1.1',
    prompt: 'the fox rests',
    resolution: '360p',
    duration: 3,
    reference_video_urls: [`task:${film.task_id}`],
  });
  assert.equal((await fileOf(follow)).byteLength, follow.outputs[0].bytes);
});
