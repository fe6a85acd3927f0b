import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkPauseMs } from './check-pause.ts';

test('a ready result is checked within two seconds or a tenth of its running time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_600_000 }), (readyAt) => {
      let askedAt = 0;
      for (let checks = 0; askedAt < readyAt; checks++) {
        assert.ok(checks < 400, 'it is not asked for hundreds of times');
        askedAt += checkPauseMs(askedAt);
      }
      assert.ok(askedAt - readyAt <= Math.max(2_000, readyAt / 10), `ready at ${readyAt}, asked at ${askedAt}`);
    }),
  );
});
