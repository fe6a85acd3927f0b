import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@darkroom-service/contract';
import type { OutputPlan, ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Checked, Order, OrderMedia } from '@darkroom-service/engines';
import { createPainterPool } from '@darkroom-service/illustrator';
import { decodeFrame, probeFile } from '@darkroom-service/media/decoding';
import { jsonMs, processorMs } from '@darkroom-service/testing';
import sharp from 'sharp';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { createSketchEngine } from './sketch-engine.ts';

const folder = await mkdtemp(join(tmpdir(), 'painter-'));
const pool = createPainterPool({ size: 1 });
const engine = createSketchEngine({ pool, temporaryDirectory: folder, clock: systemClock, concurrency: 2 });
wholeFile.after(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

const STILL: OutputPlan = {
  format: 'png',
  width: 96,
  height: 64,
  durationSeconds: null,
  fps: null,
  audio: false,
  tiles: null,
};
const FILM: OutputPlan = {
  format: 'mp4',
  width: 96,
  height: 64,
  durationSeconds: 1,
  fps: 12,
  audio: false,
  tiles: null,
};

interface Wish {
  readonly output?: Partial<OutputPlan>;
  readonly values?: ResolvedRequest['values'];
  readonly order?: Partial<Order>;
  readonly action?: string;
}

function createOrder(choice: Wish, plan: OutputPlan): Order {
  const request: ResolvedRequest = {
    modelId: 'sketch',
    type: plan.format === 'mp4' ? 'video' : 'image',
    action: choice.action ?? null,
    values: { prompt: 'three boats on a lake at sunset', seed: 11, ...choice.values },
    derived: {},
    output: { ...plan, ...choice.output },
    media: [],
  };
  return {
    taskId: 'img_1',
    mode: 'test',
    request,
    route: { engine: 'sketch', model: null, parameters: null, fixed: {} },
    simulate: null,
    testMark: false,
    media: [],
    parent: null,
    ...choice.order,
  };
}

async function check(order: Order): Promise<Checked> {
  const context = { signal: new AbortController().signal, onProgress: () => undefined };
  const started = await engine.start(order, context);
  assert.ok('operation' in started);
  return JSON.parse(JSON.stringify(await engine.check(started.operation, order, context))) as Checked;
}

/** The path of what was painted, and what a follow-up action needs. */
async function paint(choice: Wish = {}, plan: OutputPlan = STILL) {
  const order = createOrder(choice, plan);
  const checked = await check(order);
  assert.ok(checked.status === 'succeeded', JSON.stringify(checked));
  const source = checked.delivery.outputs[0]!.source;
  assert.ok('path' in source);
  return { path: source.path, order, keep: checked.delivery.keep! };
}

function medium(
  field: string,
  path: string,
  kind: OrderMedia['kind'] = 'image',
  contentType = 'image/png',
): OrderMedia {
  return {
    field,
    index: 0,
    kind,
    contentType,
    bytes: 1,
    width: null,
    height: null,
    durationSeconds: null,
    open: async () => createReadStream(path),
    url: null,
  };
}

async function plain(name: string, background: string, width = 96, height = 64): Promise<string> {
  const path = join(folder, name);
  await writeFile(
    path,
    await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return path;
}

async function pixels(path: string): Promise<Buffer> {
  return await sharp(path).removeAlpha().raw().toBuffer();
}

/** How far two pictures of one size differ: the mean over all channels, 0 to 255. */
function difference(one: Buffer, two: Buffer): number {
  assert.equal(one.length, two.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - two[at]!), 0) / one.length;
}

async function frameAt(path: string, time: number): Promise<Buffer> {
  return await (await decodeFrame(path, 'video/mp4', time))!.raw().toBuffer();
}

describe('painted stills', () => {
  for (const [format, width, height] of [
    ['png', 96, 64],
    ['jpeg', 64, 512],
    ['webp', 333, 77],
  ] as const) {
    it(`are ${format} of ${width}x${height} as ordered`, async () => {
      const probe = await probeFile((await paint({ output: { format, width, height } })).path);
      assert.deepEqual([probe.contentType, probe.width, probe.height], [`image/${format}`, width, height]);
    });
  }

  it('are the same bytes for the same order, and others for another seed', async () => {
    const [one, two, other] = [await paint(), await paint(), await paint({ values: { seed: 12 } })];
    const bytes = await readFile(one.path);
    assert.ok(bytes.equals(await readFile(two.path)));
    assert.ok(!bytes.equals(await readFile(other.path)));
  });

  it('carry a mark in one corner alone when a test key orders another vendor’s model', async () => {
    const without = await pixels((await paint()).path);
    const marked = await pixels((await paint({ order: { testMark: true } })).path);
    assert.ok(difference(marked, without) > 0.5);
    const upperHalf = 96 * 32 * 3;
    assert.equal(difference(marked.subarray(0, upperHalf), without.subarray(0, upperHalf)), 0);
  });

  it('show a reference', async () => {
    const without = await pixels((await paint()).path);
    const shown = await pixels(
      (await paint({ order: { media: [medium('image_urls', await plain('green.png', '#00ff40'))] } })).path,
    );
    assert.ok(difference(without, shown) > 3, `${difference(without, shown)}`);
  });

  it('fail as invalid input when a reference cannot be read', async () => {
    const path = join(folder, 'broken.png');
    await writeFile(path, 'no picture');
    const checked = await check(createOrder({ order: { media: [medium('image_urls', path)] } }, STILL));
    assert.ok(checked.status === 'failed');
    assert.deepEqual(checked.error, { code: 'invalid_input', message: 'the picture in image_urls cannot be read' });
  });

  it('keep the unmasked part of the first picture, to the pixel', async () => {
    const base = await plain('base.png', '#123456');
    const mask = join(folder, 'mask.png');
    const left = await sharp({ create: { width: 48, height: 64, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    await writeFile(
      mask,
      await sharp({ create: { width: 96, height: 64, channels: 3, background: '#000000' } })
        .composite([{ input: left, left: 0, top: 0 }])
        .png()
        .toBuffer(),
    );
    const painted = await pixels(
      (await paint({ order: { media: [medium('image_urls', base), medium('mask_url', mask)] } })).path,
    );
    const at = (x: number, y: number) => painted.subarray((y * 96 + x) * 3, (y * 96 + x) * 3 + 3).toString('hex');
    for (const x of [48, 70, 95]) assert.equal(at(x, 30), '123456');
    assert.notEqual(at(20, 30), '123456');
  });
});

describe('painted follow-ups', () => {
  it('show the tile of a grid that was chosen, larger', async () => {
    const grid = await paint({ output: { tiles: 4, width: 128, height: 128 } });
    const parent = {
      taskId: 'img_1',
      request: grid.order.request,
      outputs: [medium('output', grid.path)],
      keep: grid.keep,
    };
    const upscaled = await paint({
      action: 'upscale',
      values: { prompt: null, seed: null, index: 3 },
      output: { width: 256, height: 256 },
      order: { parent },
    });
    const small = await sharp(upscaled.path).resize(64, 64).removeAlpha().raw().toBuffer();
    const tile = (left: number, top: number) =>
      sharp(grid.path).extract({ left, top, width: 64, height: 64 }).removeAlpha().raw().toBuffer();
    const differences = [];
    for (const [left, top] of [
      [0, 0],
      [64, 0],
      [0, 64],
      [64, 64],
    ] as const)
      differences.push(difference(small, await tile(left, top)));
    assert.equal(differences.indexOf(Math.min(...differences)), 2, differences.join());
  });

  it('compose the parent’s scene again when nothing was kept with it', async () => {
    const grid = await paint({ output: { tiles: 4, width: 128, height: 128 } });
    const bytes = [];
    for (const keep of [grid.keep, null]) {
      const parent = { taskId: 'img_1', request: grid.order.request, outputs: [medium('output', grid.path)], keep };
      bytes.push(await readFile((await paint({ action: 'upscale', values: { index: 1 }, order: { parent } })).path));
    }
    assert.ok(bytes[0]!.equals(bytes[1]!));
  });

  it('change nothing outside the mask, the mark of a test key included', async () => {
    const single = await paint({ order: { testMark: true } });
    const parent = {
      taskId: 'img_1',
      request: single.order.request,
      outputs: [medium('output', single.path)],
      keep: single.keep,
    };
    const mask = join(folder, 'upper.png');
    const upper = await sharp({ create: { width: 96, height: 20, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    await writeFile(
      mask,
      await sharp({ create: { width: 96, height: 64, channels: 3, background: '#000000' } })
        .composite([{ input: upper, left: 0, top: 0 }])
        .png()
        .toBuffer(),
    );
    const changed = await paint({
      action: 'vary_region',
      values: { prompt: 'a starry night' },
      order: { parent, testMark: true, media: [medium('mask_url', mask)] },
    });
    const [before, now] = [await pixels(single.path), await pixels(changed.path)];
    const border = 96 * 20 * 3;
    assert.equal(difference(before.subarray(border), now.subarray(border)), 0);
    assert.ok(difference(before.subarray(0, border), now.subarray(0, border)) > 5);
  });

  it('fail when the picture they work on is gone', async () => {
    const checked = await check(createOrder({ action: 'pan', values: { direction: 'left' } }, STILL));
    assert.ok(checked.status === 'failed' && checked.error.code === 'upstream_error');
    assert.match(checked.error.message, /expected the picture that 'pan' works on/);
  });
});

describe('painted films', () => {
  for (const audio of [false, true]) {
    it(`have their length, rate, sides and ${audio ? 'a sound' : 'no sound'}`, async () => {
      const { bytes: _, ...probe } = await probeFile(
        (await paint({ output: { audio, durationSeconds: 2, fps: 24 } }, FILM)).path,
      );
      assert.deepEqual(probe, {
        kind: 'video',
        contentType: 'video/mp4',
        width: 96,
        height: 64,
        durationSeconds: 2,
        fps: 24,
        hasAudio: audio,
      });
    });
  }

  it('move', async () => {
    const { path } = await paint({}, FILM);
    assert.ok(difference(await frameAt(path, 0), await frameAt(path, 0.9)) > 1);
  });

  it('are the same bytes for the same order', async () => {
    const [one, two] = [await paint({ output: { audio: true } }, FILM), await paint({ output: { audio: true } }, FILM)];
    assert.ok((await readFile(one.path)).equals(await readFile(two.path)));
  });

  it('begin and end with the pictures that were given for it', async () => {
    const media = [
      medium('first_frame_url', await plain('red.png', '#ff0000')),
      medium('last_frame_url', await plain('blue.png', '#0000ff', 40, 200)),
    ];
    const { path } = await paint({ order: { media } }, FILM);
    const [first, middle, last] = [await frameAt(path, 0), await frameAt(path, 0.5), await frameAt(path, 0.95)];
    assert.ok(first[0]! > 200 && first[2]! < 60, first.subarray(0, 3).join());
    assert.ok(last[2]! > 200 && last[0]! < 60, last.subarray(0, 3).join());
    assert.ok(
      difference(first, middle) > 2 && difference(last, middle) > 20,
      'between them the scene moves before the first',
    );
  });

  it('take a film as reference', async () => {
    const source = await paint({}, FILM);
    const { path } = await paint(
      { order: { media: [medium('source_video_url', source.path, 'video', 'video/mp4')] } },
      FILM,
    );
    assert.equal((await probeFile(path)).durationSeconds, 1);
  });

  it('are heard with the sound that was given for it', async () => {
    const own = await paint({ output: { audio: true } }, FILM);
    const path = join(folder, 'silence.wav');
    const header = Buffer.from(
      'RIFF\x24\xf4\x01\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\xf4\x01\x00',
      'latin1',
    );
    await writeFile(path, Buffer.concat([header, Buffer.alloc(128_000)]));
    const given = await paint(
      { output: { audio: true }, order: { media: [medium('reference_audio_urls', path, 'audio', 'audio/wav')] } },
      FILM,
    );
    assert.equal((await probeFile(given.path)).hasAudio, true);
    assert.ok(
      (await readFile(given.path)).length < (await readFile(own.path)).length - 2000,
      'silence takes less room than sound',
    );
  });

  it('do not slow the service down while they are painted', async () => {
    let painting = true;
    const films = Promise.all(
      [1, 2, 3].map((seed) => paint({ values: { seed }, output: { width: 640, height: 352 } }, FILM)),
    ).then(() => {
      painting = false;
    });
    // What this thread works in between, not what it waits for a machine that has other things to do.
    const worked: number[] = [];
    for (let before = processorMs(); painting; before = processorMs()) {
      await pause(5);
      worked.push(processorMs() - before);
    }
    await films;
    worked.sort((one, two) => one - two);
    assert.ok(worked.length > 20);
    assert.ok(worked[Math.floor(worked.length * 0.9)]! < 10 * jsonMs(), `${worked.at(-1)}`);
  });
});
