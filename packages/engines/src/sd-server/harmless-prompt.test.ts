import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { harmlessPrompt } from './harmless-prompt.ts';

test('weights that the server can read stay', () => {
  for (const prompt of ['a fox', '(fox:1.2)', '((fox:.5) and (hen:-1))', '(fox:+2.)', '10:30) in the morning'])
    assert.equal(harmlessPrompt(prompt), prompt);
});

test('a weight that would end the server becomes plain text', () => {
  assert.equal(harmlessPrompt('(fox:.)'), '(fox:. )');
  assert.equal(harmlessPrompt('(a:..)(b:1.2.3)'), '(a:.. )(b:1.2.3 )');
  assert.equal(harmlessPrompt(`(fox:${'9'.repeat(50)})`), `(fox:${'9'.repeat(50)} )`);
  assert.equal(harmlessPrompt(`(fox:0.${'0'.repeat(60)}1)`), `(fox:0.${'0'.repeat(60)}1 )`);
});

test('no prompt holds a weight that a float cannot hold', () => {
  const piece = fc.constantFrom(':', '.', '+', '-', '1', '99', '(', ')', ' ', 'fox');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const [, weight] of harmlessPrompt(pieces.join('')).matchAll(/:([+-]?[.\d]+)\)/g)) {
        const value = Number(weight);
        assert.ok(Number.isFinite(value) && (value === 0 || Math.abs(value) >= 1e-7) && Math.abs(value) < 1e38);
      }
    }),
    { numRuns: 2000 },
  );
});
