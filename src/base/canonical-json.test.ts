import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { JsonValue } from '@darkroom-service/contract';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { fingerprint, fingerprintInSlices } from './canonical-json.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\\u00000', '"\\u00000"', 'a"b', 'ä', '__proto__').map((piece) => piece.repeat(20_000)),
  fc.constantFrom('\\u00000', '"', ''),
  fc.constantFrom('', 'x').map((start) => start + '🦊'.repeat(50_000)),
);
const document = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  ),
})).value;

test('a fingerprint is the hash of the whole canonical text, however long the strings in it are', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (value) => {
      const whole = createHash('sha256')
        .update(canonicalize(value) ?? 'null')
        .digest('hex');
      assert.equal(fingerprint(value), whole);
      assert.equal(await fingerprintInSlices(value), whole);
    }),
    { numRuns: 200 },
  );
});

test('the order of fields does not change a fingerprint, one character in a long text does', () => {
  const long = 'x'.repeat(100_000);
  assert.equal(fingerprint({ a: long, b: 1 }), fingerprint({ b: 1, a: long }));
  assert.notEqual(fingerprint({ a: long }), fingerprint({ a: `${long.slice(1)}y` }));
});
