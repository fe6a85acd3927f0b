import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { chooseCoding } from './coding.ts';
import { pack } from './packed.ts';

const READ = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync } as const;

test('for any bytes and tail, each encoding decodes to both in sequence', async () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.integer({ min: 0, max: 30_000 }).map((n) => 'ab{'.repeat(n)),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.string({ maxLength: 300 }), { maxLength: 3 }), async (text, tails) => {
      const packed = pack(Buffer.from(text));
      for (const tail of ['', ...tails])
        for (const coding of packed.codings) {
          const bytes = await packed.in(coding, tail);
          assert.equal(READ[coding as keyof typeof READ](bytes).toString(), Buffer.from(text + tail).toString());
          assert.equal(await packed.in(coding, tail), bytes, 'the same bytes for the same tail');
        }
    }),
    { numRuns: 12 },
  );
});

test('the coding is the best one that the caller accepts, and plain bytes otherwise', () => {
  const all = ['br', 'gzip', 'identity'] as const;
  const cases: readonly [string | undefined, string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, *', 'gzip'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['*;q=0', 'identity'],
    ['zstd, gzip;q=0', 'identity'],
  ];
  for (const [header, expected] of cases) assert.equal(chooseCoding(header, all), expected, String(header));
  assert.equal(chooseCoding('gzip, br', ['gzip', 'identity']), 'gzip');
});
