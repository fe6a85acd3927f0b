import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanText, cutText, isCleanText } from './clean-text.ts';

const unit = fc.oneof(
  fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\t',
    '\r',
    '\0',
    '\x1b',
    '\x7f',
    '\x85',
    '\x9b',
    '\ud83d',
    '\ude00',
    '\u{1f600}',
    'e\u0301',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const anyText = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
const CONTROL = /[^\P{Cc}\t\n\r]/u;

test('a cleaned text is well-formed, bounded and without control characters, and one that was clean stays as it is', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, most) => {
      const clean = cleanText(text, most);
      assert.ok(isCleanText(clean) && !CONTROL.test(clean));
      assert.ok(clean.length <= most + 1);
      if (text.length <= most && isCleanText(text) && !CONTROL.test(text)) assert.equal(clean, text);
      assert.equal(cleanText(clean), clean);
    }),
  );
});

test('a cut falls between characters: of a well-formed text it leaves a well-formed beginning, at most one unit shorter', () => {
  fc.assert(
    fc.property(
      anyText.map((text) => text.toWellFormed()),
      fc.nat(50),
      (text, length) => {
        const cut = cutText(text, length);
        assert.ok(cut.isWellFormed() && text.startsWith(cut) && cut.length <= length);
        assert.ok(cut.length >= Math.min(text.length, length) - 1);
        assert.equal(cutText(text, length, '\u2026'), cut === text ? text : `${cut}\u2026`);
      },
    ),
  );
});
