import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { loadCodecs } from './codecs.ts';

test('codecs that are away when a film comes are loaded for a later one', async () => {
  let isAway = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (isAway && specifier === '@mediabunny/server')
        throw Object.assign(new Error('not there'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(specifier, context);
    },
  });
  assert.equal(await loadCodecs(), false);
  isAway = false;
  assert.equal(await loadCodecs(), true);
});
