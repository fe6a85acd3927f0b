import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { type Pixels, type StillFormat, writeStill } from './encode-still.ts';

const folder = await mkdtemp(join(tmpdir(), 'still-'));
after(() => rm(folder, { recursive: true }));

const MAGIC: Readonly<Record<StillFormat, RegExp>> = {
  png: /^\x89PNG\r\n/,
  jpeg: /^\xff\xd8\xff/,
  webp: /^RIFF[\s\S]{4}WEBP/,
};

function gradient(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([(at / 4) % width, Math.floor(at / 4 / width), 128, 255], at);
  return { data, width, height };
}

async function write(name: string, format: StillFormat): Promise<Buffer> {
  const path = join(folder, name);
  await writeStill(path, gradient(200, 120), format);
  return await readFile(path);
}

describe('stills', () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    it(`are written as ${format}, opaque, in their own size`, async () => {
      const bytes = await write(`still.${format}`, format);
      assert.match(bytes.toString('latin1'), MAGIC[format]);
      const metadata = await sharp(bytes).metadata();
      assert.deepEqual(
        [metadata.format, metadata.width, metadata.height, metadata.hasAlpha],
        [format, 200, 120, false],
      );
    });

    it(`are the same bytes for the same pixels as ${format}`, async () => {
      assert.ok((await write('one', format)).equals(await write('two', format)));
    });
  }

  it('lose nothing as png', async () => {
    const pixels = await sharp(await write('exact.png', 'png'))
      .ensureAlpha()
      .raw()
      .toBuffer();
    assert.ok(pixels.equals(gradient(200, 120).data));
  });
});
