import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { AudioSample, AudioSampleSource, BufferTarget, Output, WavOutputFormat } from 'mediabunny';
import { decodeSound } from './decode-sound.ts';

const folder = await mkdtemp(join(tmpdir(), 'sound-'));
after(() => rm(folder, { recursive: true }));

/** A square wave, high on the left and low on the right. */
async function writeWave(name: string, seconds: number, sampleRate: number, numberOfChannels: number): Promise<string> {
  const target = new BufferTarget();
  const output = new Output({ format: new WavOutputFormat(), target });
  const source = new AudioSampleSource({ codec: 'pcm-s16' });
  output.addAudioTrack(source);
  await output.start();
  const data = Float32Array.from({ length: seconds * sampleRate * numberOfChannels }, (_, at) =>
    at % numberOfChannels === 0 ? 0.5 : -0.25,
  );
  using sample = new AudioSample({ data, format: 'f32', sampleRate, numberOfChannels, timestamp: 0 });
  await source.add(sample);
  await output.finalize();
  const path = join(folder, name);
  await writeFile(path, new Uint8Array(target.buffer!));
  return path;
}

describe('decoding sound', () => {
  it('keeps left and right, resamples, and is silent after the end', async () => {
    const sound = await decodeSound(await writeWave('stereo', 1, 24_000, 2), 2, 48_000);
    assert.equal(sound?.length, 2 * 48_000 * 2);
    for (const [at, value] of [
      [0, 0.5],
      [1, -0.25],
      [95_998, 0.5],
      [95_999, -0.25],
      [96_000, 0],
      [191_999, 0],
    ] as const) {
      assert.ok(Math.abs(sound![at]! - value) < 0.001, `${at}: ${sound![at]}`);
    }
  });

  it('puts mono on both channels and stops at the limit', async () => {
    const sound = await decodeSound(await writeWave('mono', 2, 44_100, 1), 0.5, 48_000);
    assert.equal(sound?.length, 48_000);
    assert.ok(sound!.every((value) => Math.abs(value - 0.5) < 0.001));
  });

  it('returns nothing for a file without sound', async () => {
    const path = join(folder, 'text');
    await writeFile(path, 'hello');
    assert.equal(await decodeSound(path, 1, 48_000), null);
  });
});
