import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellOf, createIdFactory } from './ids.ts';

/** The letter before the name may be in the name too. */
const anyCell = fc.stringMatching(/^[0-9a-z]{1,4}$/);

test('an id tells its cell and no other, has 26 characters as ever, and sorts by the time of its creation', () => {
  fc.assert(
    fc.property(anyCell, fc.integer({ min: 1, max: 2 ** 49 }), (cell, time) => {
      const createId = createIdFactory(() => time, cell);
      const ids = [createIdFactory(() => time - 1, null)('img'), ...Array.from({ length: 40 }, () => createId('img'))];
      for (const id of ids) assert.match(id, /^img_[0-9a-z]{26}$/);
      assert.deepEqual(ids.map(cellOf), [null, ...Array.from({ length: 40 }, () => cell)]);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids.map((id) => id.slice(18))).size, ids.length, 'the random characters differ');
    }),
  );
});

test('an id without a cell tells none', () => {
  const createId = createIdFactory(() => Date.now());
  for (let count = 0; count < 1_000; count++) assert.equal(cellOf(createId('bat')), null);
});
