import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicros, parseMicros } from './money.ts';

/** Texts that a person, a program or a spreadsheet may write for an amount. */
const ODD =
  '01 00 007.5 -01 00.5 +1 1. .5 1e2 1E-2 0x10 1_000 1,000 1,5 1.0000001 1000000000 Infinity NaN -Infinity --1 1- - . $1 1$ 1USD 1.2.3 0b1 0o7 ٣ 1½ １ ∞ 1/2 1% true null'
    .split(' ')
    .concat('', ' 1', '1 ', '1\n', '1 0', '\t1', '1\0', '\u200b1', '−1', '1\u00a0', '-', '-.5');

test('forty and more odd spellings are no amounts', () => {
  assert.ok(ODD.length >= 40);
  for (const text of ODD) assert.equal(parseMicros(text), null, JSON.stringify(text));
});

test('a text is an amount exactly if it follows the grammar, and then the one that it says', () => {
  const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{0,${most}}$`));
  const text = fc.tuple(fc.constantFrom('', '-', '+', ' '), digits(11), fc.constantFrom('', '.', ','), digits(8));
  fc.assert(
    fc.property(text, ([sign, whole, point, rest]) => {
      const isWhole = whole === '0' || (/^\d{1,9}$/.test(whole) && !whole.startsWith('0'));
      const joined = point === '' ? whole + rest : whole;
      const isPlain = joined === '0' || (/^\d{1,9}$/.test(joined) && !joined.startsWith('0'));
      const isFraction = point === '.' && isWhole && rest.length >= 1 && rest.length <= 6;
      const accepted = (sign === '' || sign === '-') && (point === '' ? isPlain : isFraction);
      const micros = parseMicros(sign + whole + point + rest);
      assert.equal(micros !== null, accepted);
      if (micros !== null) assert.equal(micros / 1e6, Number(sign + whole + point + rest) || 0);
    }),
  );
});

test('an amount that was written is read as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (micros) => {
      assert.equal(parseMicros(formatMicros(micros)), micros);
    }),
  );
});
