import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isoTime } from './clock.ts';

test('every time is written as Date writes it', () => {
  const times = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  fc.assert(fc.property(times, (ms) => assert.equal(isoTime(ms), new Date(ms).toISOString())));
  for (const ms of [0, 999, 59_999, 60_000, -1, 253_402_300_800_000]) {
    assert.equal(isoTime(ms), new Date(ms).toISOString());
  }
});

test('what is no time is refused', () => {
  assert.equal(isoTime(null), null);
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) assert.throws(() => isoTime(ms), RangeError);
});
