import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { openCatalogOverlay } from './helpers/catalog-overlay.ts';
import { plainEntry } from './helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** What the built-in illustrator delivers besides pictures and films of the usual kind, through the front door. */

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({
    model_id: 'webm-only',
    type: 'video',
    supported_features: ['text_to_video'],
    sizing: { tier: '360p' },
    parameters: {
      prompt: { type: 'string', default: null, description: 'What to see.' },
      aspect_ratio: { type: 'string', enum: ['16:9'], default: '16:9', description: 'Width to height.' },
    },
    output: { format: 'webm', auto_seconds: 1 },
    pricing: { components: [{ per: 'clip', amount: '0.01' }] },
  }),
  plainEntry({
    model_id: 'as-long-as-given',
    type: 'video',
    supported_features: ['text_to_video', 'reference_to_video'],
    sizing: { tier: '360p' },
    parameters: {
      prompt: { type: 'string', default: null, description: 'What to see.' },
      duration: { type: 'number', minimum: 1, maximum: 10, default: null, description: 'Seconds.' },
      reference_video_urls: {
        type: 'array',
        items: { type: 'string', format: 'uri', 'x-media': 'video' },
        default: null,
        description: 'A film to refer to.',
      },
    },
    limits: { reference_video_urls: { max: 1, role: 'reference_video' } },
    output: { auto_seconds: 3 },
    pricing: { components: [{ per: 'output_second', amount: '0.01' }] },
  }),
]);
const service = await startTestService(wholeFile, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
const { call, keys, make } = service;

const STILL = { model_id: 'sketch', prompt: 'a red boat and a zorblax', resolution: '0.5K' };
const FILM = { model_id: 'sketch-motion', prompt: 'a boat on a lake', resolution: '360p', duration: 1 };

async function open(task: TaskAnswer): Promise<Input> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const response = await fetch(task.outputs[0].url);
  assert.equal(response.headers.get('content-type'), task.outputs[0].content_type);
  return new Input({ source: new BufferSource(await response.arrayBuffer()), formats: ALL_FORMATS });
}

for (const [wish, type, codecs] of [
  [{ ...FILM, output_format: 'webm' }, 'video/webm', ['vp9', 'opus']],
  [{ ...FILM, video_codec: 'av1' }, 'video/mp4', ['av1', 'aac']],
  [{ model_id: 'webm-only', prompt: 'a boat' }, 'video/webm', ['vp9', undefined]],
] as const) {
  test(`${wish.model_id} answers a film of ${codecs.join(' and ')} in ${type}, with a preview that moves`, async () => {
    const task = await make(keys.test, '/v1/videos', wish);
    const film = await open(task);
    const [output] = task.outputs;
    const [picture, sound] = [await film.getPrimaryVideoTrack(), await film.getPrimaryAudioTrack()];
    assert.deepEqual([await picture?.getCodec(), await sound?.getCodec()], codecs);
    assert.equal((await picture?.computePacketStats())?.packetCount, 24);
    const { content_type, width, height, duration_seconds, fps, has_audio } = output;
    assert.deepEqual([content_type, width, height, duration_seconds, fps], [type, 640, 360, 1, 24]);
    assert.equal(has_audio, codecs[1] !== undefined);
    for (const [address, key] of [
      [output.preview_url, null],
      [`${output.content_url}?variant=preview`, keys.test],
    ] as const) {
      const answer = await fetch(address, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/webp']);
      const preview = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      assert.ok((preview.pages ?? 1) > 5, `${preview.pages} pages`);
      assert.deepEqual([preview.width, preview.height], [320, 180]);
    }
  });
}

async function pixelsOf(task: TaskAnswer): Promise<Buffer> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const file = Buffer.from(await (await fetch(task.outputs[0].url)).arrayBuffer());
  return await sharp(file).removeAlpha().raw().toBuffer();
}

test('a changed region that is rerolled changes again, and nothing beside it does', async () => {
  const grid = await make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a boat on a lake' });
  const follow = (parent: TaskAnswer, action: string, fields: object = {}) =>
    make(keys.test, '/v1/images/actions', { parent_task_id: parent.task_id, action, ...fields });
  const single = await follow(grid, 'upscale', { index: 1 });
  const white = await sharp({ create: { width: 32, height: 16, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const black = sharp({ create: { width: 32, height: 32, channels: 3, background: '#000' } });
  const mask = await black
    .composite([{ input: white, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const mask_url = `data:image/png;base64,${mask.toString('base64')}`;
  const varied = await follow(single, 'vary_region', { mask_url });
  const again = await follow(varied, 'reroll');
  const third = await follow(again, 'reroll');
  const all = await Promise.all([single, varied, again, third].map(pixelsOf));
  const half = all[0]!.byteLength / 2;
  for (const picture of all)
    assert.ok(picture.subarray(half).equals(all[0]!.subarray(half)), 'black stays, to the pixel');
  assert.equal(new Set(all.map((picture) => picture.subarray(0, half).toString('base64'))).size, 4);
});

test('a create that is rerolled shows its reference pictures again', async () => {
  const square = sharp({ create: { width: 32, height: 32, channels: 3, background: '#ff00ff' } });
  const image_urls = [`data:image/png;base64,${(await square.png().toBuffer()).toString('base64')}`];
  const order = { model_id: 'sketch-grid', prompt: 'a boat on a lake', image_urls };
  const grid = await make(keys.test, '/v1/images', order);
  const again = await make(keys.test, '/v1/images/actions', { parent_task_id: grid.task_id, action: 'reroll' });
  const magentas: number[] = [];
  for (const task of [grid, again]) {
    const pixels = await pixelsOf(task);
    let found = 0;
    for (let at = 0; at < pixels.length; at += 3) if (pixels.readUIntBE(at, 3) === 0xff00ff) found++;
    magentas.push(found);
  }
  const [first = 0, second = 0] = magentas;
  assert.ok(first > 1000 && Math.abs(second - first) < first / 2, magentas.join());
});

test('a style gives its grain and colours to a picture, and is not shown itself', async () => {
  const pixels = Buffer.alloc(128 * 128 * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = Math.floor(at / 3) % 4 < 2 ? 255 : (at % 3) * 60;
  const weave = await sharp(pixels, { raw: { width: 128, height: 128, channels: 3 } })
    .png()
    .toBuffer();
  const address = [`data:image/png;base64,${weave.toString('base64')}`];
  const order = { ...STILL, seed: 8 };
  const differences: number[] = [];
  const plain = await pixelsOf(await make(keys.test, '/v1/images', order));
  for (const field of ['style_image_urls', 'image_urls']) {
    const picture = await pixelsOf(await make(keys.test, '/v1/images', { ...order, [field]: address }));
    let white = 0;
    for (let at = 0; at < picture.length; at += 3) if (picture.readUIntBE(at, 3) === 0xffffff) white++;
    differences.push(white);
    assert.ok(!picture.equals(plain));
  }
  const [style = 0, shown = 0] = differences;
  assert.ok(shown > 2000 && style < shown / 4, `white pixels of the weave: ${style} as style, ${shown} as picture`);
});

test('a film whose length is left open is as long as the film given with it, and costs what that length costs', async () => {
  const source = await make(keys.test, '/v1/videos', { ...FILM, duration: 1.5, resolution: '360p' });
  const order = { model_id: 'as-long-as-given', prompt: 'a boat' };
  const lengthOf = async (fields: object) => {
    const { outputs, cost, error } = await make(keys.test, '/v1/videos', { ...order, ...fields });
    assert.equal(error, null);
    return [outputs[0].duration_seconds, cost.amount, cost.quoted];
  };
  const reference_video_urls = [`task:${source.task_id}`];
  assert.deepEqual(await lengthOf({ reference_video_urls }), [1.5, '0.015', '0.10']);
  assert.deepEqual(await lengthOf({ reference_video_urls, duration: 1 }), [1, '0.01', '0.01']);
  assert.deepEqual(await lengthOf({}), [3, '0.03', '0.10']);
});

test('a WebM film of H.264 is refused, and a picture has no preview', async () => {
  const order = { ...FILM, output_format: 'webm', video_codec: 'h264' };
  const { status, error } = await call(keys.test, 'POST', '/v1/videos', order);
  assert.deepEqual([status, error.code], [400, 'unsupported_value']);
  assert.match(error.message, /vp9 or av1/);
  const { outputs } = await make(keys.test, '/v1/images', STILL);
  assert.equal(outputs[0].preview_url, null);
  const answer = await call(keys.test, 'GET', `${outputs[0].content_url}?variant=preview`);
  assert.deepEqual([answer.status, answer.error.param], [404, 'variant']);
});

test('only a test key that requests it gets an explanation of its order', async () => {
  const asked = await make(keys.test, '/v1/images', { ...STILL, simulate: { explain: true } });
  const { explanation } = asked.outputs[0];
  assert.ok(explanation.includes('Subject: 1 × sailboat (red).'), explanation.join());
  assert.ok(explanation.includes('Not known to this illustrator: zorblax.'), explanation.join());
  assert.equal('explanation' in (await make(keys.test, '/v1/images', STILL)).outputs[0], false);
  const header = { 'darkroom-simulate': 'explain=true', prefer: 'wait=60' };
  const { data } = await call(
    keys.test,
    'POST',
    '/v1/images',
    { ...STILL, model_id: 'z-image-turbo', resolution: undefined },
    header,
  );
  assert.ok(data.outputs[0].explanation.length > 0, "another vendor's model tells it too");
  const live = await call(keys.live, 'POST', '/v1/images', { ...STILL, simulate: { explain: true } });
  assert.deepEqual([live.status, live.error.code], [400, 'unsupported_field']);
  const wrong = await call(keys.test, 'POST', '/v1/images', { ...STILL, simulate: { explain: 'yes' } });
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'simulate.explain']);
});
