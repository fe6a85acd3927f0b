import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pngChunk } from '@darkroom-service/engines/fakes/parts';
import { decoded, markBytes, markStream, mediaSamples } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import sharp from 'sharp';
import { type Mark, xmpOf } from './mark.ts';
import { MarkFault } from './mark-fault.ts';
import { originalBytes, originalParts } from './original.ts';
import type { Splice } from './splicer.ts';

const MARK: Mark = {
  source: 'trainedAlgorithmicMedia',
  generator: 'Darkroom 0.1.0',
  model: 'flux-2-pro',
  taskId: 'img_0123456789',
  createdAt: new Date('2026-11-24T09:00:00Z'),
  prompt: 'A fox & a <hen>\n"in the snow"',
  isTest: false,
};
const XMP = xmpOf(MARK);
const SAMPLES = await mediaSamples();
const picture = () => sharp({ create: { width: 20, height: 12, channels: 3, background: '#367' } });
const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

function mark(
  contentType: string,
  bytes: Uint8Array,
): { readonly marked: Buffer; readonly splices: readonly Splice[] } {
  const result = markBytes(contentType, bytes, XMP);
  assert.ok(result !== null && result.outcome.state === 'marked', contentType);
  return { marked: Buffer.concat(result.pieces), splices: result.outcome.splices };
}

function rangeOf(marked: Buffer, splices: readonly Splice[], start: number, end: number): Buffer {
  const parts = originalParts(marked.length, splices, { start, end });
  return Buffer.concat(
    parts.map((part) => (part instanceof Uint8Array ? part : marked.subarray(part.start, part.end))),
  );
}

test('a mark changes no pixel, no sample and no other byte, and the original is read from the marked file', async () => {
  for (const [contentType, bytes] of SAMPLES) {
    const { marked, splices } = mark(contentType, bytes);
    assert.ok(marked.includes(SOURCE), contentType);
    assert.deepEqual(await decoded(contentType, marked), await decoded(contentType, bytes), contentType);
    assert.equal(originalBytes(marked.length, splices), bytes.length);
    assert.ok(rangeOf(marked, splices, 0, bytes.length).equals(bytes), contentType);
    const replaced = splices.reduce((sum, splice) => sum + Buffer.from(splice.replaced, 'base64').length, 0);
    assert.ok(replaced < 1024, `${contentType}: ${replaced} bytes were replaced`);
  }
});

test('any pieces are marked as the whole is, and any range of the original is found', async () => {
  const split = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 });
  const range = fc.tuple(fc.nat(), fc.nat());
  await fc.assert(
    fc.asyncProperty(fc.nat(SAMPLES.length - 1), split, range, async (sample, lengths, [a, b]) => {
      const [contentType, bytes] = SAMPLES[sample]!;
      const { marked, splices } = mark(contentType, bytes);
      const stream = markStream(contentType, XMP);
      assert.ok(stream !== null);
      const passed: Uint8Array[] = [];
      for (const piece of stream.pass(piecesOf(bytes, lengths))) passed.push(piece);
      assert.ok(Buffer.concat(passed).equals(marked));
      assert.deepEqual(stream.end(), { state: 'marked', splices });
      const [start = 0, end = 0] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y);
      assert.ok(rangeOf(marked, splices, start, end).equals(bytes.subarray(start, end)));
    }),
    { numRuns: 300 },
  );
});

test('the content of a long file passes piece by piece, and metadata that do not end are not kept in memory', async () => {
  const png = await picture().png().toBuffer();
  const [head, pixels] = [png.subarray(0, 33), pngChunk('IDAT', 'x'.repeat(2 ** 20))];
  for (const [place, most] of [
    ['behind', 2 ** 20],
    ['before', 5 * 2 ** 20],
  ] as const) {
    let [given, passed, held] = [0, 0, 0];
    const source = function* () {
      for (const piece of place === 'behind' ? [head, pixels] : [head]) {
        given += piece.length;
        yield piece;
      }
      const filler = pngChunk(place === 'behind' ? 'IDAT' : 'prVt', 'y'.repeat(2 ** 16));
      for (let count = 0; count < 400; count++) {
        given += filler.length;
        held = Math.max(held, given - passed);
        yield filler;
      }
      yield pngChunk('IEND', '');
    };
    const stream = markStream('image/png', XMP);
    const run = async () => {
      for (const piece of stream?.pass(source()) ?? []) passed += piece.length;
    };
    if (place === 'behind') await run();
    else await assert.rejects(run, { name: 'MarkFault', state: 'failed' });
    assert.ok(held <= most, `${place}: ${held} bytes were held`);
  }
});

test('a file cut off anywhere, or with any bytes changed, is marked or refused, and its original comes back', async () => {
  const change = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
  const headChange = fc.array(fc.tuple(fc.nat(400), fc.constantFrom(0, 1, 127, 128, 255)), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.nat(SAMPLES.length - 1),
      fc.oneof(change, headChange),
      fc.nat(),
      fc.boolean(),
      (place, changes, length, isCut) => {
        const [contentType, sample] = SAMPLES[place]!;
        const bytes = Buffer.from(isCut ? sample.subarray(0, length % sample.length) : sample);
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        try {
          const result = markBytes(contentType, bytes, XMP);
          assert.ok(result !== null);
          const marked = Buffer.concat(result.pieces);
          if (result.outcome.state === 'kept') assert.ok(marked.equals(bytes));
          else assert.ok(rangeOf(marked, result.outcome.splices, 0, bytes.length).equals(bytes));
        } catch (error) {
          assert.ok(error instanceof MarkFault && error.state === 'failed', String(error));
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a sound has no mark, and the same mark has the same bytes', () => {
  assert.equal(markBytes('audio/mpeg', Buffer.from('ID3'), XMP), null);
  assert.deepEqual(xmpOf(MARK), XMP);
  const long = xmpOf({ ...MARK, prompt: '&'.repeat(40_000), isTest: true });
  assert.ok(long.length < 65_000 && Buffer.from(long).includes('Test output'));
});

function* piecesOf(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, count = 0; at < bytes.length; count++) {
    const length = lengths[count % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
