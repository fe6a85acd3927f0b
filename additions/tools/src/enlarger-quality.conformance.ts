import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createPainterPool } from '@darkroom-service/illustrator';
import sharp from 'sharp';
import { runEnlarger } from './enlarger/run-enlarger.ts';
import { findNetwork } from './network/network-folder.ts';

/** The gate of the network: it must be closer to the original than scaling alone. */

const SIDE = 160;
const ENOUGH = 7;
const PROMPTS = [
  'a red fox in the snow at dawn',
  'a harbour with boats at noon, watercolour',
  'a portrait of a woman with a hat',
  'a city street at night, neon',
  'a bowl of fruit on a table',
  'mountains and a lake in autumn',
  'a cat on a sofa',
  'a sailing ship in a storm',
  'a bicycle in front of a house',
];
const IN_NOBODYS_WAY = { signal: new AbortController().signal, onProgress: () => undefined };

const folder = await mkdtemp(join(tmpdir(), 'darkroom-enlarger-'));
after(() => rm(folder, { recursive: true }));
const network = findNetwork();
assert.ok(network !== null);
const originals = await paint();

for (const factor of [2, 4] as const)
  test(`images enlarged ${factor} times are closer to the original than those of Lanczos scaling, at least ${ENOUGH} of ${PROMPTS.length}`, async () => {
    const gains: number[] = [];
    for (const [index, original] of originals.entries()) {
      const small = join(folder, `${index}-${factor}.png`);
      const into = join(folder, `${index}-${factor}-large.png`);
      const size = SIDE / factor;
      await sharp(original, RAW).resize(size, size, { kernel: 'cubic' }).png().toFile(small);
      await runEnlarger({ path: small, into, factor, format: 'png', network }, IN_NOBODYS_WAY);
      const scaled = await sharp(small).resize(SIDE, SIDE, { kernel: 'lanczos3' }).raw().toBuffer();
      const enlarged = await sharp(into).raw().toBuffer();
      gains.push(likeness(enlarged, original) - likeness(scaled, original));
    }
    const better = gains.filter((gain) => gain > 0).length;
    assert.ok(better >= ENOUGH, `${better}: ${gains.map((gain) => gain.toFixed(2)).join(' ')} dB`);
  });

const RAW = { raw: { width: SIDE, height: SIDE, channels: 3 } } as const;

/** Returns the pixels of nine pictures that the illustrator draws. */
async function paint(): Promise<readonly Buffer[]> {
  const pool = createPainterPool({ size: 1 });
  const plan = { format: 'png', durationSeconds: null, fps: null, audio: false, tiles: null } as const;
  const pictures: Buffer[] = [];
  for (const [index, prompt] of PROMPTS.entries()) {
    const path = join(folder, `${index}.png`);
    const output = { ...plan, width: SIDE * 4, height: SIDE * 4 };
    const given = { action: null, values: { prompt }, media: [], parent: null, testMark: false };
    await pool.paint({ path, output, seed: 7, ...given }, IN_NOBODYS_WAY);
    pictures.push(await sharp(path).removeAlpha().resize(SIDE, SIDE, { kernel: 'lanczos3' }).raw().toBuffer());
  }
  await pool.close();
  return pictures;
}

/** Returns the peak signal-to-noise ratio of two pictures, in decibels. */
function likeness(one: Buffer, other: Buffer): number {
  const error = one.reduce((sum, value, place) => sum + (value - (other[place] as number)) ** 2, 0) / one.length;
  return 10 * Math.log10(255 ** 2 / error);
}
