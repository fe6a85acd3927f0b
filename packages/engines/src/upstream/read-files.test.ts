import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileIn, readFiles } from './read-files.ts';

const PREFIX = 'data:image/png;base64,';

async function* inPieces(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

test('an answer says the same however its files are decoded and wherever it is cut', async () => {
  const file = fc.uint8Array({ minLength: 3_000, maxLength: 12_000, size: 'max' }).map((bytes) => Buffer.from(bytes));
  const long = fc.array(fc.constantFrom('A', 'b', '/', '=', '"', '\\', 'é', ' '), { minLength: 0, maxLength: 3 });
  const text = fc.tuple(fc.constantFrom('A', 'QQ=', '/'), fc.integer({ min: 0, max: 9_000 }), long);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(file, text), { maxLength: 4 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 9_000 }),
      fc.boolean(),
      async (parts, hasPrefix, cut, isEscaped) => {
        const strings = parts.map((part) =>
          Buffer.isBuffer(part)
            ? (hasPrefix ? PREFIX : '') + part.toString('base64')
            : part[0].repeat(part[1] / part[0].length) + part[2].join(''),
        );
        const plain = JSON.stringify({ strings, last: { n: 1 } });
        const sent = isEscaped ? plain.replaceAll('/', '\\/') : plain;
        const answer = await readFiles(inPieces(sent, cut), cut % 2 === 0 ? sent.length : 0);
        const body = JSON.parse(answer.bytes.toString()) as { strings: string[]; last: unknown };
        assert.deepEqual(body.last, { n: 1 });
        for (const [index, part] of parts.entries()) {
          const value = body.strings[index] ?? '';
          if (Buffer.isBuffer(part)) assert.deepEqual(Buffer.from(fileIn(answer, value)), part);
          else if (!answer.files.has(value)) assert.equal(value, strings[index]);
          // It is base64 as well.
          else assert.deepEqual(Buffer.from(fileIn(answer, value)), Buffer.from(strings[index] ?? '', 'base64'));
          if (Buffer.isBuffer(part) && part.length > 4_000 && !isEscaped) assert.ok(answer.files.has(value));
        }
      },
    ),
    { numRuns: 150, endOnFailure: true },
  );
});

test('an answer that breaks off within a file is no JSON, and a text that only begins like a file stays a text', async () => {
  const half = `{"b64_json":"${'QUJD'.repeat(3_000)}`;
  const broken = await readFiles(inPieces(half, 500));
  assert.throws(() => JSON.parse(broken.bytes.toString()));
  // The last one has a length that base64 cannot have.
  for (const end of [', in the snow', '"', '\\', 'f'])
    for (const cut of [1, 4, 5, 700]) {
      const prompt = `${'fox'.repeat(4_000)}${end}`;
      const { bytes, files } = await readFiles(inPieces(JSON.stringify({ prompt }), cut));
      assert.deepEqual([JSON.parse(bytes.toString()), files.size], [{ prompt }, 0]);
    }
});
