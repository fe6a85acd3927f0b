import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCodecs } from './decoding/codecs.ts';
import { hasCodecs } from './has-codecs.ts';

test('asking whether the codecs are there does not load them', async () => {
  const isLoaded = () => {
    const { sharedObjects } = process.report.getReport() as { readonly sharedObjects: readonly string[] };
    return sharedObjects.some((path) => path.includes('node-av'));
  };
  assert.equal(hasCodecs(), true);
  assert.equal(isLoaded(), false);
  await loadCodecs();
  assert.equal(isLoaded(), true);
});
