import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaFault } from '@darkroom-service/media';
import fc from 'fast-check';
import { decodeBase64 } from './base64-pieces.ts';

const blanks = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', ' '.repeat(30));
const valid = fc
  .tuple(fc.uint8Array({ maxLength: 60 }), fc.array(blanks, { minLength: 90, maxLength: 90 }), fc.boolean())
  .map(([bytes, spaces, isPadded]) => {
    const base64 = Buffer.from(bytes).toString('base64');
    const text = isPadded ? base64 : base64.replace(/=+$/, '');
    return [...text].map((character, at) => character + (spaces[at] ?? '')).join('');
  });
const anything = fc.string({
  unit: fc.constantFrom('A', 'Q', '/', '+', '=', ' ', '\n', '-', '_', '\v', 'é'),
  maxLength: 40,
});

const inPieces = (text: string, characters: number) =>
  outcomeOf(() =>
    Buffer.concat([...decodeBase64({ length: text.length, read: (from, to) => text.slice(from, to) }, characters)]),
  );
const atOnce = (text: string) => outcomeOf(() => Uint8Array.fromBase64(text));

function outcomeOf(decode: () => Uint8Array): string {
  try {
    return Buffer.from(decode()).toString('hex');
  } catch (error) {
    assert.ok(error instanceof SyntaxError || error instanceof MediaFault, String(error));
    return 'refused';
  }
}

test('decoding in pieces accepts and returns what decoding at once does, wherever the pieces are cut', () => {
  const one = fc.oneof(valid, anything);
  const text = fc.oneof(
    one,
    fc.tuple(one, one).map(([first, second]) => first + second),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (each, characters) => {
      assert.equal(inPieces(each, characters), atOnce(each));
    }),
    { numRuns: 5_000 },
  );
});

test('data after the padding is refused, also where a piece ends with it', () => {
  assert.equal(inPieces('QQ==', 4), '41');
  assert.equal(inPieces('QQ== \n \t', 4), '41');
  assert.equal(inPieces('QQ==QQ==', 4), 'refused');
  assert.equal(inPieces('QUFBQQ==QUFB', 8), 'refused');
});
