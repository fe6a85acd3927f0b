import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ACCOUNT_ID, DOLLARS, idPattern, isId, TASK_ID } from './id-patterns.ts';
import { createIdFactory } from './ids.ts';
import { formatMicros, parseMicros } from './money.ts';

const anyCell = fc.option(fc.stringMatching(/^[0-9a-z]{1,4}$/));
const anyPrefix = fc.constantFrom('acc', 'bat', 'file', 'img', 'key', 'vid');

test('every id that is made fits the pattern of its prefix, in each cell, and no other text does', () => {
  fc.assert(
    fc.property(anyCell, anyPrefix, fc.integer({ min: 1, max: 2 ** 49 }), (cell, prefix, time) => {
      const id = createIdFactory(() => time, cell)(prefix);
      assert.ok(isId(id, prefix) && isId(id, 'other', prefix), id);
      assert.match(id, new RegExp(`^${ACCOUNT_ID}$`));
      assert.equal(new RegExp(`^${TASK_ID}$`).test(id), prefix === 'img' || prefix === 'vid');
      for (const other of [`${id}0`, id.slice(1), id.slice(0, -1), id.toUpperCase(), `${id}\n`, `x${id}`])
        assert.ok(!isId(other, prefix), other);
    }),
  );
  assert.ok(!new RegExp(`^${idPattern('img')}$`).test('img_1'));
});

test('every amount that can be entered is read as it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (micros) => {
      const text = formatMicros(micros);
      assert.match(text, new RegExp(`^${DOLLARS}$`));
      assert.equal(parseMicros(text), micros);
    }),
  );
});
