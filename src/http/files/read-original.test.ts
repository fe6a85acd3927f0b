import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { originalBytes, originalParts, type Splice } from '@darkroom-service/media/structure';
import fc from 'fast-check';
import { readParts } from './read-original.ts';

const bytes = fc.uint8Array({ maxLength: 12 });
/** What a file keeps, what was inserted, and what that replaced. */
const change = fc.record({ kept: bytes, inserted: bytes, replaced: bytes });

test('any range of the original is read with one request, however many changes there are and pieces come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(),
      fc.nat(),
      async (changes, piece, a, b) => {
        const splices: Splice[] = [];
        const marked: Uint8Array[] = [];
        const original: Uint8Array[] = [];
        let at = 0;
        for (const { kept, inserted, replaced } of changes) {
          marked.push(kept, inserted);
          original.push(kept, replaced);
          at += kept.length;
          splices.push({ at, inserted: inserted.length, replaced: Buffer.from(replaced).toString('base64') });
          at += inserted.length;
        }
        const [file, expected] = [Buffer.concat(marked), Buffer.concat(original)];
        assert.equal(originalBytes(file.length, splices), expected.length);
        const [start = 0, end = 0] = [a % (expected.length + 1), b % (expected.length + 1)].sort((x, y) => x - y);
        let requests = 0;
        const storage = {
          async open(_key: string, range?: { readonly start: number; readonly end: number }) {
            requests++;
            assert.ok(range !== undefined && range.start <= range.end);
            const found = file.subarray(range.start, range.end + 1);
            const count = Math.ceil(found.length / piece);
            return Readable.from(Array.from({ length: count }, (_, n) => found.subarray(n * piece, (n + 1) * piece)));
          },
        };
        const read: Uint8Array[] = [];
        for await (const part of readParts(storage, 'key', originalParts(file.length, splices, { start, end })))
          read.push(part);
        assert.deepEqual(Buffer.concat(read), expected.subarray(start, end));
        assert.ok(requests <= 1);
      },
    ),
  );
});
