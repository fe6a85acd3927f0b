import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callbackPauseMs, checkPauseMs } from './check-pause.ts';

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

test('an order whose upstream calls is checked at its expected end, then every 30 seconds', () => {
  const facts = fc.record({
    readyAt: fc.integer({ min: 0, max: 900_000 }),
    typicalSeconds: fc.option(fc.integer({ min: 0, max: 600 })),
    chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  fc.assert(
    fc.property(facts, ({ readyAt, typicalSeconds, chance }) => {
      const expectedMs = (typicalSeconds ?? 0) * 1000;
      let askedAt = 0;
      let checks = 0;
      for (; askedAt < readyAt; checks++) askedAt += callbackPauseMs(askedAt, typicalSeconds, chance);
      const latest = Math.max(readyAt + 33_000, expectedMs * 1.1, 1_100);
      assert.ok(askedAt <= latest, `a lost callback: ready at ${readyAt}, asked at ${askedAt}`);
      const afterExpected = Math.max(0, readyAt - expectedMs);
      assert.ok(checks <= 2 + afterExpected / 30_000, `${checks} checks until ${readyAt}`);
    }),
  );
});

test('a picture that takes 5 to 20 seconds is read 13 times without callbacks, and less than twice with them', () => {
  const ends = Array.from({ length: 1_501 }, (_, at) => 5_000 + at * 10);
  const readsOf = (pauseMs: (runningMs: number) => number) => {
    const reads = ends.map((endMs) => {
      let count = 0;
      for (let at = pauseMs(0); at < endMs; at += pauseMs(at)) count++;
      // The one that finds the end, at the next check or at the call.
      return count + 1;
    });
    return reads.reduce((sum, count) => sum + count, 0) / reads.length;
  };
  const [without, unknown, typical] = [
    readsOf((runningMs) => checkPauseMs(runningMs, 0.5)),
    readsOf((runningMs) => callbackPauseMs(runningMs, null, 0.5)),
    // Four of five have ended by then.
    readsOf((runningMs) => callbackPauseMs(runningMs, 17, 0.5)),
  ];
  assert.ok(without > 12 && without < 14, `${without}`);
  assert.equal(unknown, 1);
  assert.ok(typical < 1.3, `${typical}`);
});
