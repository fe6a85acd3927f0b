import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { pngChunk } from '@darkroom-service/testing';
import sharp from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { probeFile } from './probe-file.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
});
after(() => rm(folder, { recursive: true }));

async function keep(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** A picture of noise, so that it has enough bytes to be cut. */
function noise(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7919 + (at >> 3) * 104_729) & 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Says that it is wide and high, and holds a few bytes. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Sixteen-bit mono sound. */
function wave(seconds: number, rate = 8000): Buffer {
  const samples = Buffer.alloc(seconds * rate * 2);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

function fault(kind: MediaFault['kind'], message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof MediaFault, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };
}

describe('probing pictures', () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    it(`measures ${format} by content, whatever the name says`, async () => {
      const bytes = await noise(64, 40).toFormat(format).toBuffer();
      const path = await keep(`${format}.txt`, bytes);
      assert.deepEqual(await probeFile(path), {
        kind: 'image',
        contentType: `image/${format}`,
        bytes: bytes.length,
        width: 64,
        height: 40,
        durationSeconds: null,
        fps: null,
        hasAudio: null,
      });
    });
  }

  it('reports the sides as displayed when the camera was turned', async () => {
    const path = await keep('turned.jpg', await noise(64, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    const { width, height } = await probeFile(path);
    assert.deepEqual([width, height], [40, 64]);
  });

  for (const format of ['png', 'jpeg', 'webp'] as const) {
    it(`finds out that a ${format} was cut short`, async () => {
      const bytes = await noise(300, 300).toFormat(format).toBuffer();
      const path = await keep(`cut.${format}`, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      await assert.rejects(probeFile(path), fault('corrupt', /is damaged or incomplete/));
    });
  }

  it('refuses more pixels than allowed by the header, without decoding', async () => {
    const path = await keep('bomb.png', bomb(60_000, 60_000));
    const before = process.cpuUsage();
    await assert.rejects(probeFile(path), fault('too_large', /60000x60000/));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000, 'decoding it would take minutes of the processors');
  });

  it('accepts the limit of pixels as an option', async () => {
    const path = await keep('small.png', await noise(20, 20).png().toBuffer());
    assert.equal((await probeFile(path, { ...UNTRUSTED_LIMITS, pixels: 400 })).width, 20);
    await assert.rejects(probeFile(path, { ...UNTRUSTED_LIMITS, pixels: 399 }), fault('too_large', /20x20/));
  });

  it('refuses a JPEG whose bytes cannot hold its pixels, which a decoder would fill in', async () => {
    const bytes = await noise(64, 40).jpeg().toBuffer();
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    bytes.writeUInt16BE(4_000, frame + 5);
    bytes.writeUInt16BE(4_000, frame + 7);
    await assert.rejects(
      probeFile(await keep('hollow.jpg', bytes)),
      fault('corrupt', /cannot hold the size that its header tells/),
    );
  });

  it('refuses a header with a body that does not fill it', async () => {
    await assert.rejects(
      probeFile(await keep('hollow.png', bomb(1000, 1000))),
      fault('corrupt', /is damaged or incomplete/),
    );
  });
});

describe('probing files that are no media', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>';
  const others: readonly (readonly [string, string | Buffer])[] = [
    ['page.png', '<!doctype html><html><body>404</body></html>'],
    ['drawing.svg', svg],
    ['declared.svg', `<?xml version="1.0"?>${svg}`],
    ['list.m3u8', '#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.ts\n'],
    ['paper.pdf', '%PDF-1.7\n%...'],
    ['text.txt', 'hello'],
    ['tiff.tif', Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])],
  ];
  for (const [name, content] of others) {
    it(`refuses ${name}`, async () => {
      await assert.rejects(probeFile(await keep(name, content)), fault('unsupported', /^expected a PNG/));
    });
  }

  for (const [name, first, told] of [
    ['photo.heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', /found an HEIC image; save it as a JPEG or PNG$/],
    ['burst.heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic', /found an HEIC image; save it as a JPEG or PNG$/],
    ['paint.bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0', /found a BMP image; save it as a PNG$/],
    ['old.avi', 'RIFF\x24\0\0\0AVI LIST', /found an AVI video; save it as an MP4$/],
    ['scan.tif', 'MM\0*\0\0\0\x08', /found a TIFF image; save it as a PNG or JPEG$/],
  ] as const)
    it(`calls ${name} by its name, and says what to do`, async () => {
      await assert.rejects(probeFile(await keep(name, Buffer.from(first, 'latin1'))), fault('unsupported', told));
    });

  it('says that an empty file is empty', async () => {
    await assert.rejects(probeFile(await keep('empty.png', '')), fault('corrupt', /empty/));
  });

  it('calls a film without tables broken', async () => {
    const path = await keep('head.mp4', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'));
    await assert.rejects(probeFile(path), fault('corrupt', /neither a video track nor an audio track/));
  });
});

describe('probing sounds', () => {
  it('measures a wave file', async () => {
    const probe = await probeFile(await keep('tone.bin', wave(2)));
    assert.deepEqual(
      { ...probe, bytes: 0 },
      {
        kind: 'audio',
        contentType: 'audio/wav',
        bytes: 0,
        width: null,
        height: null,
        durationSeconds: 2,
        fps: null,
        hasAudio: true,
      },
    );
  });

  it('reads a file again after it was overwritten', async () => {
    const path = await keep('same.png', await noise(30, 20).png().toBuffer());
    assert.equal((await probeFile(path)).width, 30);
    await writeFile(path, await noise(50, 20).png().toBuffer());
    assert.equal((await probeFile(path)).width, 50);
    await truncate(path, (await readFile(path)).length - 200);
    await assert.rejects(probeFile(path), fault('corrupt', /is damaged or incomplete/));
  });
});
