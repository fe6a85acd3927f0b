import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { sampleFrames } from './sample-frames.ts';

const SIDE = 4;
const colour = (red: number) => ({ r: red, g: 100, b: 50 });
const plain = (red: number, alpha = 1) => ({
  create: { width: 30, height: 20, channels: 4 as const, background: { ...colour(red), alpha } },
});

test('frames of an image and of an animation are whole, small, opaque and evenly spread', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-frames-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  const redsOf = async (most: number) =>
    (await sampleFrames(path, SIDE, most)).map((frame) => {
      assert.equal(frame.length, SIDE * SIDE * 3);
      assert.deepEqual(frame.subarray(0, 3), frame.subarray(-3));
      return frame[0];
    });

  await writeFile(path, await sharp(plain(200)).png().toBuffer());
  assert.deepEqual(await redsOf(6), [200]);
  // What is invisible is not shown as it is stored.
  await writeFile(path, await sharp(plain(10, 0)).png().toBuffer());
  assert.deepEqual(await redsOf(6), [255]);

  const frames = await Promise.all([10, 60, 110, 160, 210].map((red) => sharp(plain(red)).png().toBuffer()));
  const animation = sharp(frames, { join: { animated: true } }).webp({ lossless: true, loop: 0, delay: 100 });
  await writeFile(path, await animation.toBuffer());
  assert.deepEqual(await redsOf(9), [10, 60, 110, 160, 210]);
  assert.deepEqual(await redsOf(2), [10, 110]);
});
