import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { OutputPlan } from '@darkroom-service/contract/catalog';
import { decodeFrame, decodeSound, probeFile } from '@darkroom-service/media/decoding';
import sharp from 'sharp';
import { writeFilm } from '../film/film.ts';
import { SAMPLE_RATE } from '../film/sound.ts';
import type { PaintMedia } from './paint-job.ts';
import { paintPicture } from './paint-picture.ts';

/** What is given with an order is seen in the picture: by its pixels, in the role that it was given in. */

const folder = await mkdtemp(join(tmpdir(), 'given-'));
after(() => rm(folder, { recursive: true }));

const SIDES = { width: 96, height: 64 };
const FILM: OutputPlan = { ...SIDES, format: 'mp4', durationSeconds: 1, fps: 12, audio: false, tiles: null };
const STILL: OutputPlan = { ...SIDES, format: 'png', durationSeconds: null, fps: null, audio: false, tiles: null };
let painted = 0;

async function paint(output: OutputPlan, media: readonly PaintMedia[], prompt: string | null): Promise<string> {
  const path = join(folder, `${painted++}.${output.format}`);
  const job = { path, output, seed: 3, action: null, values: { prompt }, media, parent: null, testMark: false };
  await paintPicture(job, () => undefined);
  return path;
}

/** A picture of squares, each of a colour of its own: nothing that a scene would show by chance. */
async function squares(name: string, shift: number, width = 96, height = 64, side = 16): Promise<string> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length / 3; at++) {
    const square = Math.floor((at % width) / side) + Math.floor(at / width / side) * 7 + shift;
    pixels.set([(square * 67) % 230, (square * 113) % 230, (square * 29) % 230], at * 3);
  }
  const path = join(folder, name);
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(path);
  return path;
}

function picture(field: string, role: string, path: string): PaintMedia {
  return { field, role, kind: 'image', contentType: 'image/png', path };
}

async function pixelsOf(path: string): Promise<Buffer> {
  return await sharp(path).removeAlpha().raw().toBuffer();
}

async function frameAt(path: string, time: number): Promise<Buffer> {
  const { contentType } = await probeFile(path);
  return await (await decodeFrame(path, contentType, time))!.raw().toBuffer();
}

/** The mean over all channels, 0 to 255. */
function difference(one: Buffer, two: Buffer): number {
  assert.equal(one.length, two.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - two[at]!), 0) / one.length;
}

const CODEC_LOSS = 4;

describe('a film', () => {
  for (const format of ['mp4', 'webm'] as const) {
    it(`begins and ends on the given pictures, apart from the losses of ${format}`, async () => {
      const [one, two] = [await squares('one.png', 0), await squares('two.png', 5)];
      const media = [picture('first_frame_url', 'first_frame', one), picture('last_frame_url', 'last_frame', two)];
      const path = await paint({ ...FILM, format }, media, 'a boat on a lake');
      const [first, middle, last] = [await frameAt(path, 0), await frameAt(path, 0.5), await frameAt(path, 0.95)];
      const [from, to] = [await pixelsOf(one), await pixelsOf(two)];
      assert.ok(difference(first, from) < CODEC_LOSS, `first ${difference(first, from)}`);
      assert.ok(difference(last, to) < CODEC_LOSS, `last ${difference(last, to)}`);
      assert.ok(difference(from, to) > 10 * CODEC_LOSS);
      assert.ok(difference(middle, from) > 2 && difference(middle, to) > 3 * CODEC_LOSS);
    });
  }

  it('cuts a picture of another ratio to its own, about its middle', async () => {
    const tall = await squares('tall.png', 2, 96, 192);
    const path = await paint(FILM, [picture('image_urls', 'first_frame', tall)], 'a boat on a lake');
    const middle = await sharp(tall)
      .extract({ left: 0, top: 64, ...SIDES })
      .removeAlpha()
      .raw()
      .toBuffer();
    assert.ok(difference(await frameAt(path, 0), middle) < CODEC_LOSS);
  });

  it('does not begin on a picture that it only refers to', async () => {
    const one = await squares('reference.png', 0);
    const path = await paint(FILM, [picture('image_urls', 'reference', one)], 'a boat on a lake');
    assert.ok(difference(await frameAt(path, 0), await pixelsOf(one)) > 5 * CODEC_LOSS);
    const without = await paint(FILM, [], 'a boat on a lake');
    assert.ok(difference(await frameAt(path, 0), await frameAt(without, 0)) > 2, 'but shows it');
  });

  it('shows a given film moving behind the scene, from its beginning again where it is shorter', async () => {
    const path = join(folder, 'source.mp4');
    const source = { ...SIDES, path, format: 'mp4', codec: 'avc', fps: 12, durationSeconds: 1, sound: null } as const;
    const colours = (frame: number) => (frame < 6 ? [200, 20, 20, 255] : [20, 40, 200, 255]);
    const painter = (frame: number) => Uint8Array.from({ length: 96 * 64 * 4 }, (_, at) => colours(frame)[at % 4]!);
    await writeFilm(source, painter, () => undefined);
    const given: PaintMedia = {
      field: 'reference_video_urls',
      role: 'reference_video',
      kind: 'video',
      contentType: 'video/mp4',
      path,
      durationSeconds: 1,
    } as const;
    const film = await paint({ ...FILM, durationSeconds: 2 }, [given], '');
    for (const [time, channel] of [
      [0, 0],
      [0.3, 0],
      [0.7, 2],
      [1.2, 0],
      [1.8, 2],
    ] as const) {
      const frame = await frameAt(film, time);
      const share = frame.filter((value, at) => at % 3 === channel && value > 120).length / (frame.length / 3);
      assert.ok(share > 0.9, `at ${time} s ${share} of the picture is of the film's colour`);
    }
    assert.ok(difference(await frameAt(film, 0), await frameAt(await paint(FILM, [given], 'a red boat'), 0)) > 1);
  });
});

/** A file of 16-bit sound in one channel. */
async function tone(name: string, hertz: number, seconds: number): Promise<string> {
  const rate = 8000;
  const data = Buffer.alloc(rate * seconds * 2);
  for (let at = 0; at < rate * seconds; at++)
    data.writeInt16LE(Math.round(9000 * Math.sin((2 * Math.PI * hertz * at) / rate)), at * 2);
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  for (const [value, at, bytes] of [
    [16, 16, 4],
    [1, 20, 2],
    [1, 22, 2],
    [rate, 24, 4],
    [rate * 2, 28, 4],
    [2, 32, 2],
    [16, 34, 2],
    [data.length, 40, 4],
  ] as const)
    head.writeUIntLE(value, at, bytes);
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([head, data]));
  return path;
}

/** How much of a pitch is in a sound, 0 to 1. */
function shareOf(samples: Float32Array, hertz: number): number {
  let [sine, cosine, power] = [0, 0, 0];
  for (let at = 0; at < samples.length; at += 2) {
    const angle = (2 * Math.PI * hertz * at) / 2 / SAMPLE_RATE;
    sine += samples[at]! * Math.sin(angle);
    cosine += samples[at]! * Math.cos(angle);
    power += samples[at]! ** 2;
  }
  return (2 * (sine ** 2 + cosine ** 2)) / (power * (samples.length / 2));
}

describe('the sound given for a film', () => {
  for (const format of ['mp4', 'webm'] as const) {
    it(`replaces the scene's own sound in ${format}`, async () => {
      const path = await tone('tone.wav', 440, 1);
      const sound = { field: 'reference_audio_urls', role: 'reference_audio', kind: 'audio' } as const;
      const wish = { ...FILM, format, audio: true };
      const given = await paint(wish, [{ ...sound, contentType: 'audio/wav', path }], 'a boat on a lake');
      const heard = (await decodeSound(given, 0.8, SAMPLE_RATE))!;
      assert.ok(shareOf(heard, 440) > 0.8, `${shareOf(heard, 440)}`);
      const own = (await decodeSound(await paint(wish, [], 'a boat on a lake'), 0.8, SAMPLE_RATE))!;
      assert.ok(shareOf(own, 440) < 0.2);
    });
  }
});

describe('a picture', () => {
  const PROMPT = 'a boat on a lake';

  it('shows a given one: laid into the scene, or filling the frame where the prompt names nothing', async () => {
    const path = await squares('shown.png', 1, 96, 64);
    const media = [picture('image_urls', 'reference', path)];
    const given = await pixelsOf(path);
    assert.ok(difference(await pixelsOf(await paint(STILL, media, null)), given) < 3);
    const scene = await pixelsOf(await paint(STILL, media, PROMPT));
    const colours = new Set<number>();
    for (let at = 0; at < given.length; at += 3) colours.add(given.readUIntBE(at, 3));
    let found = 0;
    for (let at = 0; at < scene.length; at += 3) if (colours.has(scene.readUIntBE(at, 3))) found++;
    assert.ok(found > 20, `${found} pixels of the scene are of the picture laid into it`);
  });

  it('takes the colours of a given one', async () => {
    const mean = async (colour: string) => {
      const path = join(folder, `${colour}.png`);
      await sharp({ create: { ...SIDES, channels: 3, background: `#${colour}` } })
        .png()
        .toFile(path);
      const { channels } = await sharp(await paint(STILL, [picture('sref', 'style', path)], PROMPT)).stats();
      return channels.map((channel) => channel.mean);
    };
    const [red, blue] = [await mean('d03020'), await mean('2040d0')];
    assert.ok(red[0]! - red[2]! > blue[0]! - blue[2]! + 15, `${red} ${blue}`);
  });

  it('has the grain of a given style, and not its shapes', async () => {
    const sides = { width: 192, height: 192 };
    const still = { ...STILL, ...sides };
    const weave = join(folder, 'weave.png');
    const pixels = Buffer.from({ length: 144 * 144 * 3 } as ArrayLike<number>);
    for (let at = 0; at < pixels.length; at++) pixels[at] = (Math.floor(at / 3) % 144) % 4 < 2 ? 150 : 90;
    await sharp(pixels, { raw: { width: 144, height: 144, channels: 3 } })
      .png()
      .toFile(weave);
    const smooth = join(folder, 'smooth.png');
    await sharp({ create: { width: 144, height: 144, channels: 3, background: { r: 120, g: 120, b: 120 } } })
      .png()
      .toFile(smooth);
    const [woven, plain] = [
      await pixelsOf(await paint(still, [picture('sref', 'style', weave)], PROMPT)),
      await pixelsOf(await paint(still, [picture('sref', 'style', smooth)], PROMPT)),
    ];
    let [light, dark] = [0, 0];
    for (let at = 0; at < 144 * 3; at += 3) {
      for (let row = 0; row < 144; row++) {
        const place = row * 192 * 3 + at;
        const change = woven[place]! - plain[place]!;
        if ((at / 3) % 4 < 2) light += change;
        else dark += change;
      }
    }
    const pixelsEach = (144 * 144) / 2;
    assert.ok(light / pixelsEach > 3, `threads that are light in the style are lighter: ${light / pixelsEach}`);
    assert.ok(dark / pixelsEach < -3, `and dark ones darker: ${dark / pixelsEach}`);
    assert.ok(difference(woven, plain) < 25, 'the scene is still seen');
  });
});
