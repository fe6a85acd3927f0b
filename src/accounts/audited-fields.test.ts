import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf, shownFields } from './audited-fields.ts';

test('a field that is not listed is masked at any depth, and of a URL only the origin is shown', () => {
  const shown = shownFields({
    name: 'shop with dk_live_abcDEF123 in it',
    secret: 's3cret',
    after: {
      rpm: 5,
      hash: 'abc',
      limits: [{ day: '1.00', sealed: 'abc' }],
      webhook_url: 'https://u:p@example.com/x?t=1',
    },
    before: { webhook_url: 'https://example.com', test_webhook_url: null, hidden_models: ['flux-*'] },
  });
  assert.deepEqual(shown, {
    name: 'shop with dk_live_[masked] in it',
    secret: '[masked]',
    after: {
      rpm: 5,
      hash: '[masked]',
      limits: [{ day: '1.00', sealed: '[masked]' }],
      webhook_url: 'https://example.com/[masked]',
    },
    before: { webhook_url: 'https://example.com', test_webhook_url: null, hidden_models: ['flux-*'] },
  });
});

test('a difference has only the fields that differ', () => {
  assert.deepEqual(differenceOf({ a: 1, b: [1], c: null }, { a: 2, b: [1], c: null }), {
    before: { a: 1 },
    after: { a: 2 },
  });
  assert.equal(differenceOf({ a: [1] }, { a: [1] }), null);
});
