import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MediaFault } from '@darkroom-service/media';
import { decodeFrame, makePreview, makeThumbnail, probeFile } from '@darkroom-service/media/decoding';
import { until } from '@darkroom-service/testing';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { countFrames, type FilmPlan, writeFilm } from './film.ts';
import { SAMPLE_RATE } from './sound.ts';

const folder = await mkdtemp(join(tmpdir(), 'film-'));
after(() => rm(folder, { recursive: true }));

const quiet = () => undefined;

function plan(name: string, changes: Partial<FilmPlan> = {}): FilmPlan {
  const usual = { format: 'mp4', codec: 'avc', width: 64, height: 48, fps: 24, durationSeconds: 1 } as const;
  return { path: join(folder, name), ...usual, sound: null, ...changes };
}

/** Red that turns green from frame to frame, so that frames can be told apart. */
function painterFor({ width, height }: { width: number; height: number }) {
  return (frame: number) => {
    const pixels = new Uint8Array(width * height * 4);
    for (let at = 0; at < pixels.length; at += 4) pixels.set([220 - frame * 6, frame * 6, 30, 255], at);
    return pixels;
  };
}

function hum(seconds: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * SAMPLE_RATE) * 2 }, (_, at) => 0.3 * Math.sin(at / 60));
}

async function make(film: FilmPlan): Promise<string> {
  await writeFilm(film, painterFor(film), quiet);
  return film.path;
}

async function countPackets(path: string): Promise<number> {
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  return (await track!.computePacketStats()).packetCount;
}

async function codecsOf(path: string): Promise<(string | null | undefined)[]> {
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  return [await picture?.getCodec(), await sound?.getCodec()];
}

async function wholeLength(path: string): Promise<number> {
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  return await input.computeDuration();
}

describe('films', () => {
  const cases: readonly Partial<FilmPlan>[] = [
    { durationSeconds: 2, fps: 24 },
    { durationSeconds: 1, fps: 30, width: 32, height: 128 },
    { durationSeconds: 1.6, fps: 25 },
    { durationSeconds: 1, fps: 60 },
    { durationSeconds: 3, fps: 8, sound: hum(3) },
    { durationSeconds: 2, fps: 24, sound: hum(2) },
    { durationSeconds: 0.5, fps: 10, sound: hum(0.5) },
    { durationSeconds: 0.25, fps: 24, width: 1920, height: 1080 },
    { durationSeconds: 1, fps: 29.97, sound: hum(1.01) },
    { format: 'mp4', codec: 'vp9', sound: hum(1) },
    { format: 'mp4', codec: 'av1', sound: hum(1) },
    { format: 'webm', codec: 'vp9', sound: hum(1) },
    { format: 'webm', codec: 'av1', fps: 60, sound: hum(1) },
    { format: 'webm', codec: 'vp9', fps: 30, width: 1280, height: 720, durationSeconds: 0.5 },
  ];
  for (const changes of cases) {
    const { format, codec, durationSeconds, fps, width, height, sound } = plan('', changes);
    const kind = `${format} of ${codec}`;
    it(`in ${kind} last ${durationSeconds} s at ${fps} frames a second, ${width}x${height}, ${sound === null ? 'silent' : 'with sound'}`, async () => {
      const frames = countFrames(durationSeconds, fps);
      const exact = Number((frames / fps).toFixed(6));
      const path = await make(plan(`exact-${codec}-${durationSeconds}-${fps}-${sound === null}.${format}`, changes));
      const probe = await probeFile(path);
      assert.deepEqual(
        { ...probe, bytes: 0 },
        {
          kind: 'video',
          contentType: `video/${format}`,
          bytes: 0,
          width,
          height,
          durationSeconds: exact,
          fps,
          hasAudio: sound !== null,
        },
      );
      assert.equal(await countPackets(path), frames);
      const soundCodec = format === 'webm' ? 'opus' : 'aac';
      assert.deepEqual(await codecsOf(path), [codec, sound === null ? undefined : soundCodec]);
      assert.ok(
        (await wholeLength(path)) <= exact + 1e-6,
        `the sound must not outlast the pictures: ${await wholeLength(path)}`,
      );
    });
  }

  it('are the same bytes for the same frames, whenever they are made and whichever encoder was quicker', async () => {
    const first = await readFile(await make(plan('first.mp4', { sound: hum(1) })));
    // Files tell the time of their creation in seconds.
    const second = () => Math.floor(Date.now() / 1000);
    const made = second();
    await until(second, (now) => now > made);
    for (let time = 0; time < 20; time++) {
      assert.ok(first.equals(await readFile(await make(plan('again.mp4', { sound: hum(1) })))));
    }
  });

  for (const [format, codec] of [
    ['mp4', 'av1'],
    ['webm', 'vp9'],
    ['webm', 'av1'],
  ] as const) {
    it(`are the same bytes in ${format} of ${codec} too`, async () => {
      const wish = { format, codec, sound: hum(0.5), durationSeconds: 0.5 };
      const first = await readFile(await make(plan('once.film', wish)));
      assert.ok(first.equals(await readFile(await make(plan('twice.film', wish)))));
    });
  }

  it('can be played while they load: tables before frames', async () => {
    const bytes = await readFile(await make(plan('order.mp4')));
    const moov = bytes.indexOf('moov');
    assert.ok(moov > 0 && moov < bytes.indexOf('mdat'));
  });

  it('show the frames that were painted, in their order', async () => {
    const path = await make(plan('colours.mp4'));
    const early = await meanColour(path, 0);
    const late = await meanColour(path, 0.9);
    assert.ok(early.red > 190 && early.green < 40, JSON.stringify(early));
    assert.ok(late.green > 90 && late.red < 130, JSON.stringify(late));
  });

  for (const [format, codec, width, height] of [
    ['mp4', 'avc', 64, 48],
    ['mp4', 'avc', 1280, 720],
    ['mp4', 'av1', 1280, 720],
    ['webm', 'vp9', 1280, 720],
    ['webm', 'av1', 64, 48],
  ] as const) {
    it(`keep their colours in ${format} of ${codec} at ${width}x${height}, and say how they are written`, async () => {
      const path = await make(plan(`true.${format}`, { format, codec, width, height, durationSeconds: 0.1 }));
      const { red, green, blue } = await meanColour(path, 0);
      assert.ok(Math.abs(red - 220) < 5 && green < 5 && Math.abs(blue - 30) < 5, [red, green, blue].join());
      using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
      const track = await input.getPrimaryVideoTrack();
      assert.equal((await track!.getColorSpace()).matrix, 'smpte170m');
    });
  }

  it('have the first frame as thumbnail', async () => {
    const path = await make(plan('poster.mp4', { width: 640, height: 360, durationSeconds: 0.5 }));
    const thumbnail = await makeThumbnail(path, await probeFile(path));
    const { format, width, height } = await sharp(thumbnail!).metadata();
    assert.deepEqual([format, width, height], ['webp', 512, 288]);
  });

  it('have a dozen of their frames, small and moving, as preview', async () => {
    const path = await make(plan('moving.webm', { format: 'webm', codec: 'vp9', width: 640, height: 360 }));
    const preview = (await makePreview(path, await probeFile(path)))!;
    const { format, width, height, pages = 0, delay = [], loop } = await sharp(preview).metadata();
    assert.deepEqual([format, width, height, loop], ['webp', 320, 180, 0]);
    // Pictures that hardly differ share one page, which is then shown longer.
    assert.ok(pages > 5 && pages <= 12, `${pages}`);
    const shown = delay.reduce((sum, each) => sum + each, 0);
    assert.ok(Math.abs(shown - 1000) < 10, `a film of a second is shown as quickly as it is, found ${shown} ms`);
    const greens: number[] = [];
    for (let page = 0; page < pages; page++)
      greens.push((await sharp(preview, { page }).removeAlpha().raw().toBuffer())[1]!);
    assert.deepEqual(
      greens,
      greens.toSorted((one, two) => one - two),
      'from its beginning',
    );
    assert.ok(greens[0]! < 8 && greens.at(-1)! > 115, `to its end: ${greens.join()}`);
    assert.ok(preview.byteLength < 60_000);
  });

  it('have no preview where nothing moves', async () => {
    const path = await make(plan('one-frame.mp4', { durationSeconds: 1 / 24 }));
    assert.equal(await makePreview(path, await probeFile(path)), null);
    const still = join(folder, 'still.png');
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } }).toFile(still);
    assert.equal(await makePreview(still, await probeFile(still)), null);
  });

  it('refuse odd sides', async () => {
    await assert.rejects(make(plan('odd.mp4', { width: 63 })), /even sides; found 63x48/);
  });

  it('report each frame', async () => {
    const seen: number[] = [];
    const film = plan('progress.mp4', { durationSeconds: 0.25 });
    await writeFilm(film, painterFor(film), (done, of) => seen.push(done / of));
    assert.equal(seen.length, 6);
    assert.equal(seen.at(-1), 1);
  });

  it('free the memory of each frame when the next one is requested', async () => {
    const film = plan('memory.mp4', { durationSeconds: 0.5 });
    const paint = painterFor(film);
    const frames: Uint8Array[] = [];
    await writeFilm(
      film,
      (frame) => {
        frames.push(paint(frame));
        return frames.at(-1)!;
      },
      quiet,
    );
    assert.deepEqual([...new Set(frames.slice(0, -1).map((frame) => frame.byteLength))], [0]);
  });

  it('are detected as corrupt when they are truncated', async () => {
    const bytes = await readFile(await make(plan('whole.mp4')));
    for (const part of [0.2, 0.6, 0.95]) {
      const path = join(folder, `cut-${part}.mp4`);
      await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * part)));
      await assert.rejects(probeFile(path), (error) => error instanceof MediaFault && error.kind === 'corrupt');
    }
  });
});

async function meanColour(path: string, time: number): Promise<{ red: number; green: number; blue: number }> {
  const frame = await decodeFrame(path, (await probeFile(path)).contentType, time);
  const { data, info } = await frame!.raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { red: data[middle]!, green: data[middle + 1]!, blue: data[middle + 2]! };
}
