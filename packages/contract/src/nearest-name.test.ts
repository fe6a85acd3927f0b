import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearestName, suggestName } from './nearest-name.ts';

const FIELDS = ['prompt', 'image_urls', 'aspect_ratio', 'model_id', 'webhook_url'];

test('a mistyped name suggests the nearest one, an unrelated name none', () => {
  assert.equal(nearestName('flux2-pro', ['flux-2-max', 'flux-2-pro']), 'flux-2-pro');
  assert.equal(nearestName('midjourney', ['flux-2-max', 'flux-2-pro']), null);
  assert.equal(nearestName('x'.repeat(10_000), FIELDS), null);
});

test('a field is suggested for a mistyped name and for one word of its name', () => {
  const suggested = ['image_url', 'model', 'webhook', 'aspectRatio', 'camera', 'id', ''].map((name) =>
    suggestName(name, FIELDS),
  );
  assert.deepEqual(suggested, ['image_urls', 'model_id', 'webhook_url', 'aspect_ratio', null, null, null]);
});

test('a message contains the suggestion if there is one', () => {
  assert.equal(didYouMean('model_id'), " Did you mean 'model_id'?");
  assert.equal(didYouMean(null), '');
});
