import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCallbackTrust } from './callback-trust.ts';

test('callbacks of an engine count as arriving from a first one until three ends in a row without one', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (wereHeard) => {
      const callbacks = createCallbackTrust();
      for (const [index, wasHeard] of wereHeard.entries()) {
        if (wasHeard) callbacks.heard('fal');
        else callbacks.missed('fal');
        const last = wereHeard.slice(0, index + 1).lastIndexOf(true);
        assert.equal(callbacks.arrive('fal'), last !== -1 && index - last < 3);
        assert.equal(callbacks.arrive('kling'), false);
      }
    }),
  );
});
