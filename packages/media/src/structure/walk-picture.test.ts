import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pngChunk } from '@darkroom-service/engines/fakes/parts';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { walkPicture } from './walk-picture.ts';

const [WIDTH, HEIGHT] = [190, 140];
const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
for (let at = 0; at < pixels.length; at++) pixels[at] = ((at * 7919 + (at >> 3) * 104_729) & 63) + ((at >> 6) & 127);
const picture = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
const turned = () => picture.clone().withMetadata({ orientation: 6 });

const PICTURES: Readonly<Record<string, readonly [contentType: string, data: Buffer]>> = {
  png: ['image/png', await picture.clone().png().toBuffer()],
  'interlaced png': ['image/png', await picture.clone().png({ progressive: true }).toBuffer()],
  'turned png': ['image/png', await turned().png().toBuffer()],
  jpeg: ['image/jpeg', await picture.clone().jpeg().toBuffer()],
  'progressive jpeg': ['image/jpeg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
  'turned jpeg': ['image/jpeg', await turned().jpeg().toBuffer()],
  webp: ['image/webp', await picture.clone().webp().toBuffer()],
  'lossless webp': ['image/webp', await picture.clone().webp({ lossless: true }).toBuffer()],
  'turned webp': ['image/webp', await turned().webp().toBuffer()],
  avif: ['image/avif', await picture.clone().avif({ effort: 0 }).toBuffer()],
  'turned avif': ['image/avif', await turned().avif({ effort: 0 }).toBuffer()],
  gif: ['image/gif', await picture.clone().gif().toBuffer()],
};
const CUTS = 200;

async function walk(contentType: string, data: Uint8Array, pieceBytes = data.byteLength) {
  const passing = walkPicture(contentType);
  for (let at = 0; at < data.byteLength; at += pieceBytes) await passing.add(data.subarray(at, at + pieceBytes));
  return passing.end();
}

const isRefused = (error: unknown) => error instanceof MediaFault && error.kind === 'corrupt';

for (const [name, [contentType, data]] of Object.entries(PICTURES)) {
  test(`a ${name} is measured as its decoder does, in whatever pieces it arrives`, async () => {
    const { autoOrient } = await sharp(data).metadata();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: data.length }), async (pieceBytes) => {
        const { width, height } = await walk(contentType, data, pieceBytes);
        assert.deepEqual({ width, height }, autoOrient);
      }),
      { numRuns: rounds(40), examples: [[1], [2], [7]] },
    );
  });

  test(`a ${name} that is cut off is never taken as complete`, async () => {
    for (let cut = 0; cut < CUTS; cut++) {
      const length = Math.floor((cut * data.length) / CUTS);
      await assert.rejects(walk(contentType, data.subarray(0, length)), isRefused, `${length} of ${data.length} bytes`);
    }
    await assert.rejects(walk(contentType, data.subarray(0, -1)), isRefused);
  });

  test(`a ${name} may be padded a little, and not hold something else after its end`, async () => {
    const much = Buffer.alloc(17 * 2 ** 20, 0x37);
    await walk(contentType, Buffer.concat([data, much.subarray(0, 60_000)]));
    // Cameras append pictures and films to a JPEG.
    const more = walk(contentType, Buffer.concat([data, much.subarray(0, 100_000)]));
    if (contentType === 'image/jpeg') await more;
    else await assert.rejects(more, isRefused);
    await assert.rejects(walk(contentType, Buffer.concat([data, much]), 2 ** 20), isRefused);
  });
}

test('a PNG without a byte of pixels is refused, also if it has a part for them', async () => {
  const [, whole] = PICTURES.png!;
  // The signature and IHDR.
  const head = whole.subarray(0, 8 + 25);
  for (const pixels of [[], [pngChunk('IDAT', '')]])
    await assert.rejects(walk('image/png', Buffer.concat([head, ...pixels, pngChunk('IEND', '')])), isRefused);
});

test('a picture tells whether its pixels can be transparent', async () => {
  const told = async (data: Buffer, type: string) => (await walk(`image/${type}`, data)).hasAlpha;
  const clear = picture.clone().ensureAlpha(0.5);
  for (const [of, expected] of [
    [picture, false],
    [clear, true],
  ] as const) {
    assert.equal(await told(await of.clone().png().toBuffer(), 'png'), expected);
    assert.equal(await told(await of.clone().png({ palette: true }).toBuffer(), 'png'), expected, 'of a palette');
    assert.equal(await told(await of.clone().webp().toBuffer(), 'webp'), expected);
    assert.equal(await told(await of.clone().webp({ lossless: true }).toBuffer(), 'webp'), expected, 'lossless');
    assert.equal(await told(await of.clone().jpeg().toBuffer(), 'jpeg'), false);
    assert.equal(await told(await of.clone().gif().toBuffer(), 'gif'), null);
    assert.equal(await told(await of.clone().avif({ effort: 0 }).toBuffer(), 'avif'), null);
  }
});

test('damage at random never stops the walk, and a changed PNG never passes', async (t) => {
  for (const [name, [contentType, data]] of Object.entries(PICTURES)) {
    let [flipped, passed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat(data.length * 8 - 1)), async (bit) => {
        const changed = Buffer.from(data);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        flipped++;
        try {
          await walk(contentType, changed);
          passed++;
        } catch (error) {
          assert.ok(isRefused(error), String(error));
        }
      }),
      { numRuns: rounds(10_000), seed: 30 },
    );
    t.diagnostic(`${name}: ${passed} of ${flipped} flipped bits pass`);
    // The eight bytes of the signature are recognized before.
    if (contentType === 'image/png') assert.ok(passed <= flipped * 0.05, `${passed}`);
  }
});

/** Pictures of one colour, as their encoders pack them best: the most pixels that real files have in a byte. */
const FLAT: readonly (readonly [type: string, pack: (flat: Sharp) => Sharp])[] = [
  ['png', (flat) => flat.png({ compressionLevel: 9 })],
  ['png', (flat) => flat.png({ compressionLevel: 9, palette: true, colours: 2 })],
  ['png', (flat) => flat.png({ compressionLevel: 9, progressive: true })],
  ['jpeg', (flat) => flat.jpeg({ quality: 1, mozjpeg: true })],
  ['jpeg', (flat) => flat.toColourspace('b-w').jpeg({ quality: 1, progressive: true, optimiseScans: true })],
  ['webp', (flat) => flat.webp({ quality: 1, effort: 6 })],
  ['webp', (flat) => flat.webp({ lossless: true })],
  ['webp', (flat) => flat.ensureAlpha(0.5).webp({ quality: 1 })],
  ['gif', (flat) => flat.gif({ colours: 2 })],
  ['avif', (flat) => flat.avif({ quality: 1, effort: 0 })],
];

test('no picture of one colour is refused, however well it is packed', async () => {
  const side = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }) },
    fc.integer({ min: 300, max: 1_500 }),
  );
  await fc.assert(
    fc.asyncProperty(side, side, fc.constantFrom(...FLAT), fc.integer({ min: 0, max: 0xffffff }), async (...given) => {
      const [width, height, [type, pack], colour] = given;
      const background = `#${colour.toString(16).padStart(6, '0')}`;
      const data = await pack(sharp({ create: { width, height, channels: 3, background } })).toBuffer();
      const walked = await walk(`image/${type}`, data);
      assert.deepEqual([walked.width, walked.height], [width, height]);
    }),
    { numRuns: rounds(60) },
  );
});

test('an animation of frames of one colour each is not refused', async () => {
  const frames = Buffer.concat(Array.from({ length: 5 }, (_, frame) => Buffer.alloc(600 * 600 * 3, frame * 40 + 9)));
  const raw = { width: 600, height: 3_000, channels: 3, pageHeight: 600 } as const;
  for (const type of ['gif', 'webp'] as const) {
    const data = await sharp(frames, { raw }).toFormat(type, { loop: 0 }).toBuffer();
    assert.ok(((await sharp(data, { animated: true }).metadata()).pages ?? 1) > 1, type);
    assert.equal((await walk(`image/${type}`, data)).height, 600, type);
  }
});

/** Writes another size into a picture's header. */
const RESIZED: Readonly<Record<string, (data: Buffer, side: number) => Buffer>> = {
  png: (data, side) => {
    const ihdr = Buffer.from(data.subarray(16, 29));
    ihdr.writeUInt32BE(side, 0);
    ihdr.writeUInt32BE(side, 4);
    return Buffer.concat([data.subarray(0, 8), pngChunk('IHDR', ihdr.toString('latin1')), data.subarray(33)]);
  },
  jpeg: (data, side) => {
    const changed = Buffer.from(data);
    const at = changed.indexOf(Buffer.from([0xff, 0xc0]));
    changed.writeUInt16BE(side, at + 5);
    changed.writeUInt16BE(side, at + 7);
    return changed;
  },
  webp: (data, side) => {
    const changed = Buffer.from(data);
    changed.writeUInt16LE(side, 26);
    changed.writeUInt16LE(side, 28);
    return changed;
  },
  gif: (data, side) => {
    const changed = Buffer.from(data);
    changed.writeUInt16LE(side, 6);
    changed.writeUInt16LE(side, 8);
    return changed;
  },
  avif: (data, side) => {
    const changed = Buffer.from(data);
    const at = changed.indexOf('ispe') + 8;
    changed.writeUInt32BE(side * 1_000, at);
    changed.writeUInt32BE(side * 1_000, at + 4);
    return changed;
  },
};

for (const [type, resize] of Object.entries(RESIZED))
  test(`a small ${type} whose header tells a large size is not complete`, async () => {
    const data = resize(PICTURES[type]![1], type === 'webp' ? 16_000 : 20_000);
    await assert.rejects(walk(`image/${type}`, data), /bytes of pixels cannot hold the size that its header tells/);
  });

test('a WebP whose header tells another size than its pixels is not complete', async () => {
  const data = Buffer.from(await turned().webp({ lossless: true }).toBuffer());
  assert.equal(data.toString('latin1', 12, 16), 'VP8X');
  data.writeUIntLE(20_000, 24, 3);
  await assert.rejects(walk('image/webp', data), /another size than its pixels/);
});
