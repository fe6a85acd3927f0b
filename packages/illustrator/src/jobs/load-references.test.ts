import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { loadReference, loadWhole, readColours } from './load-references.ts';
import type { PaintMedia } from './paint-job.ts';

const folder = await mkdtemp(join(tmpdir(), 'references-'));
after(() => rm(folder, { recursive: true }));

const ORANGE = { r: 250, g: 130, b: 20 };

function plain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: ORANGE } });
}

async function keep(name: string, picture: Sharp): Promise<PaintMedia> {
  const path = join(folder, name);
  await picture.toFile(path);
  return { field: 'image_urls', kind: 'image', contentType: 'image/png', path };
}

function near(one: number, two: number): boolean {
  return Math.abs(one - two) <= 20;
}

describe('reference pictures', () => {
  const kinds: readonly (readonly [string, Sharp])[] = [
    ['plain.png', plain(40, 30).png()],
    ['deep.png', plain(40, 30).toColourspace('rgb16').png()],
    ['palette.png', plain(40, 30).png({ palette: true })],
    ['print.jpg', plain(40, 30).toColourspace('cmyk').jpeg({ quality: 95 })],
    ['photo.jpg', plain(40, 30).jpeg()],
    ['modern.avif', plain(40, 30).avif()],
    ['old.gif', plain(40, 30).gif()],
  ];
  for (const [name, picture] of kinds) {
    it(`are read with their colours: ${name}`, async () => {
      const canvas = await loadWhole(await keep(name, picture));
      assert.deepEqual([canvas.width, canvas.height], [40, 30]);
      const [red, green, blue, alpha] = canvas.getContext('2d').getImageData(20, 15, 1, 1).data;
      const tolerance = name.startsWith('print') ? 60 : 6;
      assert.ok(
        Math.abs(red! - ORANGE.r) <= tolerance &&
          Math.abs(green! - ORANGE.g) <= tolerance &&
          Math.abs(blue! - ORANGE.b) <= tolerance,
        `${red} ${green} ${blue}`,
      );
      assert.equal(alpha, 255);
    });
  }

  it('are read in grey', async () => {
    const canvas = await loadWhole(await keep('grey.png', plain(10, 10).greyscale().toColourspace('b-w').png()));
    const [red, green, blue] = canvas.getContext('2d').getImageData(5, 5, 1, 1).data;
    assert.ok(red === green && green === blue && red! > 100);
  });

  it('are scaled down when read, except where every pixel counts', async () => {
    const medium = await keep('wide.png', plain(3000, 100).png());
    assert.deepEqual([(await loadReference(medium)).width, (await loadWhole(medium)).width], [2048, 3000]);
  });

  it('tell what they are made of', async () => {
    const half = await plain(20, 40).png().toBuffer();
    const base = sharp({ create: { width: 40, height: 40, channels: 3, background: '#0000ff' } });
    const colours = await readColours(
      await keep('halves.png', base.composite([{ input: half, left: 0, top: 0 }]).png()),
    );
    assert.equal(colours.length, 4);
    const red = colours.map((colour) => Number.parseInt(colour.slice(1, 3), 16));
    assert.ok(near(red[0]!, 250) && near(red[1]!, 0) && near(red[2]!, 250) && near(red[3]!, 0), colours.join());
  });

  it('are refused by the name of their field when they cannot be read', async () => {
    const medium = {
      field: 'mask_url',
      kind: 'image',
      contentType: 'image/png',
      path: join(folder, 'none.png'),
    } as const;
    await assert.rejects(loadWhole(medium), {
      name: 'PaintFault',
      kind: 'invalid_input',
      message: 'the picture in mask_url cannot be read',
    });
  });
});
