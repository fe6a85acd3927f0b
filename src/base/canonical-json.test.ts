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

test('the fingerprint of a body is that which earlier versions have stored', () => {
  const prompt = 'a fox \u{1f98a} é';
  const body = { prompt, model_id: 'sketch', seed: 7, strength: 0.35, tags: ['b', 'a'], metadata: { z: '1', a: '' } };
  for (const [stored, of] of [
    ['d06b9f69c51339fb808a9053a4de3d5566dc10c8a68b20db6c8c55fb0e8e157e', { ...body, none: null }],
    [
      'da4ed4f763ab3679968e56d7ed65dd70f9ba2a7b5ca2b781a14a41e071c3c85d',
      { image_urls: [`data:image/png;base64,${'A'.repeat(70_000)}`] },
    ],
    ['907a0c46a2a8f680c7bd44ddfc4e6e8f852ab1bb3882fbcd07d75ce726b24cbf', { end_user: 'Rene\u0301' }],
  ] as const)
    assert.equal(fingerprint({ path: '/v1/images', body: of }), stored);
});
