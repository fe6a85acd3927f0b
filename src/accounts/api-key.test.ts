import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import fc from 'fast-check';
import { type ApiKey, mayOrder } from './api-key.ts';

const matches = (pattern: string, modelId: string) => mayOrder({ models: [pattern] } as unknown as ApiKey, modelId);

test('in a pattern a star matches any text, a question mark one character, everything else itself', () => {
  for (const [pattern, modelId, expected] of [
    ['flux-*', 'flux-2-pro', true],
    ['flux-*', 'flux', false],
    ['*', '', true],
    ['veo-3.?', 'veo-3.1', true],
    ['veo-3.?', 'veo-3x1', false],
    ['*-pro', 'flux-2-pro', true],
    ['*-pro', 'flux-2-pro-max', false],
  ] as const)
    assert.equal(matches(pattern, modelId), expected, `${pattern} ${modelId}`);
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 });
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      assert.equal(matches(pattern, text), new RegExp(`^${source}$`).test(text));
    }),
    { numRuns: 2_000 },
  );
});

test('matching is fast, however many stars a pattern has', async () => {
  const cost = await processorCost(() => assert.equal(matches(`${'*a'.repeat(31)}b`, 'a'.repeat(64)), false));
  assert.ok(cost < 10, `${cost} times a megabyte of JSON`);
});
