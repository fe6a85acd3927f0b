import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { OUTPUT_LIMITS } from '../media-limits.ts';
import type { Probe } from '../probe.ts';
import { probeFile } from './probe-file.ts';
import { makeThumbnail } from './thumbnail.ts';

const folder = await mkdtemp(join(tmpdir(), 'thumbnail-'));
after(() => rm(folder, { recursive: true }));

function plain(
  width: number,
  height: number,
  background: string | { r: number; g: number; b: number; alpha: number } = '#3366cc',
): Sharp {
  return sharp({ create: { width, height, channels: 4, background } });
}

async function thumbnailOf(name: string, picture: Sharp): Promise<Uint8Array> {
  const path = join(folder, name);
  await picture.toFile(path);
  const thumbnail = await makeThumbnail(path, await probeFile(path));
  assert.ok(thumbnail !== null);
  return thumbnail;
}

describe('thumbnails', () => {
  for (const [from, to] of [
    [
      [1600, 900],
      [512, 288],
    ],
    [
      [300, 1200],
      [128, 512],
    ],
    [
      [200, 100],
      [200, 100],
    ],
    [
      [4096, 512],
      [512, 64],
    ],
  ] as const) {
    it(`of ${from.join('x')} are ${to.join('x')}`, async () => {
      const { format, width, height } = await sharp(
        await thumbnailOf(`${from.join('x')}.png`, plain(from[0], from[1]).png()),
      ).metadata();
      assert.deepEqual([format, width, height], ['webp', ...to]);
    });
  }

  it('stand upright when the camera was turned', async () => {
    const { width, height } = await sharp(
      await thumbnailOf('turned.jpg', plain(800, 400).jpeg().withMetadata({ orientation: 6 })),
    ).metadata();
    assert.deepEqual([width, height], [256, 512]);
  });

  it('stay transparent where the picture is', async () => {
    const thumbnail = await thumbnailOf('clear.png', plain(100, 100, { r: 255, g: 0, b: 0, alpha: 0 }).png());
    assert.equal((await sharp(thumbnail).raw().toBuffer())[3], 0);
  });

  it('are made of pictures beyond the usual bound when a probe let them pass', async () => {
    const path = join(folder, 'large.png');
    await plain(9000, 8000).png({ compressionLevel: 1 }).toFile(path);
    const probe = await probeFile(path, OUTPUT_LIMITS);
    assert.equal((await sharp((await makeThumbnail(path, probe))!).metadata()).width, 512);
  });

  it('of sounds do not exist', async () => {
    const sound: Probe = {
      kind: 'audio',
      contentType: 'audio/mpeg',
      bytes: 1,
      width: null,
      height: null,
      durationSeconds: 1,
      fps: null,
      hasAudio: true,
    };
    assert.equal(await makeThumbnail(join(folder, 'none.mp3'), sound), null);
  });

  it('of films that cannot be decoded do not exist either', async () => {
    const path = join(folder, 'broken.mp4');
    await writeFile(path, 'not a film');
    const film: Probe = {
      kind: 'video',
      contentType: 'video/mp4',
      bytes: 10,
      width: 10,
      height: 10,
      durationSeconds: 1,
      fps: 24,
      hasAudio: false,
    };
    assert.equal(await makeThumbnail(path, film), null);
  });
});
