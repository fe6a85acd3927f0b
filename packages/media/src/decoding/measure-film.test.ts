import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  FlacOutputFormat,
  MkvOutputFormat,
  MovOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  Quality,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { loadCodecs } from './codecs.ts';
import { decodeFrame } from './decode-frame.ts';
import { probeFile } from './probe-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'measure-'));
after(() => rm(folder, { recursive: true }));
before(loadCodecs);

type VideoCodec = 'avc' | 'vp9';
type AudioCodec = 'aac' | 'opus' | 'mp3' | 'flac';

interface Contents {
  readonly format: OutputFormat;
  readonly video?: VideoCodec;
  readonly audio?: AudioCodec;
  readonly rotation?: 90;
}

/** Two seconds of orange at ten frames a second, 64x32, and of a steady tone. */
async function write(name: string, { format, video, audio, rotation = undefined }: Contents): Promise<string> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const pictures =
    video === undefined
      ? null
      : new VideoSampleSource({ codec: video, quality: new Quality('low'), hardwareAcceleration: 'prefer-software' });
  const sounds = audio === undefined ? null : new AudioSampleSource({ codec: audio, quality: new Quality('low') });
  if (pictures !== null)
    output.addVideoTrack(pictures, { frameRate: 10, ...(rotation === undefined ? {} : { rotation }) });
  if (sounds !== null) output.addAudioTrack(sounds);
  await output.start();
  const pixels = new Uint8Array(64 * 32 * 4).map((_, at) => [255, 128, 0, 255][at % 4]!);
  for (let frame = 0; pictures !== null && frame < 20; frame++) {
    using sample = new VideoSample(pixels, {
      format: 'RGBX',
      codedWidth: 64,
      codedHeight: 32,
      timestamp: frame / 10,
      duration: 0.1,
    });
    await pictures.add(sample);
  }
  if (sounds !== null) {
    const data = Float32Array.from({ length: 2 * 48_000 }, (_, at) => Math.sin(at / 20) / 4);
    using sample = new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate: 48_000, timestamp: 0 });
    await sounds.add(sample);
  }
  await output.finalize();
  const path = join(folder, name);
  await writeFile(path, new Uint8Array(target.buffer!));
  return path;
}

describe('measuring films', () => {
  const films: readonly (readonly [string, Contents, string])[] = [
    ['mp4', { format: new Mp4OutputFormat(), video: 'avc', audio: 'aac' }, 'video/mp4'],
    ['fragments', { format: new Mp4OutputFormat({ fastStart: 'fragmented' }), video: 'avc' }, 'video/mp4'],
    ['mov', { format: new MovOutputFormat(), video: 'avc' }, 'video/quicktime'],
    ['webm', { format: new WebMOutputFormat(), video: 'vp9', audio: 'opus' }, 'video/webm'],
    ['mkv', { format: new MkvOutputFormat(), video: 'avc', audio: 'flac' }, 'video/x-matroska'],
  ];
  for (const [name, contents, contentType] of films) {
    it(`reads ${name}, and shows its frames`, async () => {
      const path = await write(name, contents);
      const { bytes: _, ...probe } = await probeFile(path);
      assert.deepEqual(probe, {
        kind: 'video',
        contentType,
        width: 64,
        height: 32,
        durationSeconds: 2,
        fps: 10,
        hasAudio: contents.audio !== undefined,
      });
      const frame = await (await decodeFrame(path, contentType, 1))!.raw().toBuffer();
      assert.ok(frame[0]! > 235 && frame[1]! > 100 && frame[1]! < 155 && frame[2]! < 40, frame.subarray(0, 3).join());
    });
  }

  it('reports the sides as displayed when the camera was turned, and turns the frame', async () => {
    const path = await write('turned', { format: new Mp4OutputFormat(), video: 'avc', rotation: 90 });
    const { width, height } = await probeFile(path);
    assert.deepEqual([width, height], [32, 64]);
    const { info } = await (await decodeFrame(path, 'video/mp4', 0))!.raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [32, 64]);
  });

  it('bounds the pixels of a frame', async () => {
    const path = await write('bounded', { format: new Mp4OutputFormat(), video: 'avc' });
    await assert.rejects(probeFile(path, { ...UNTRUSTED_LIMITS, pixels: 2047 }), {
      name: 'MediaFault',
      kind: 'too_large',
    });
  });
});

describe('measuring sounds', () => {
  const sounds: readonly (readonly [string, Contents, string])[] = [
    ['m4a', { format: new Mp4OutputFormat(), audio: 'aac' }, 'audio/mp4'],
    ['mp3', { format: new Mp3OutputFormat(), audio: 'mp3' }, 'audio/mpeg'],
    ['ogg', { format: new OggOutputFormat(), audio: 'opus' }, 'audio/ogg'],
    ['flac', { format: new FlacOutputFormat(), audio: 'flac' }, 'audio/flac'],
  ];
  for (const [name, contents, contentType] of sounds) {
    it(`reads ${name}`, async () => {
      const probe = await probeFile(await write(name, contents));
      assert.deepEqual(
        [probe.kind, probe.contentType, probe.width, probe.fps, probe.hasAudio],
        ['audio', contentType, null, null, true],
      );
      assert.ok(Math.abs(probe.durationSeconds! - 2) < 0.1, `${probe.durationSeconds}`);
    });
  }
});
