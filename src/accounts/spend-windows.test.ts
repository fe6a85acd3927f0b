import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf } from '@darkroom-service/contract';
import fc from 'fast-check';

test('the day and the month of any times, in any order, are those of their own UTC date', () => {
  const midnight = fc.integer({ min: 0, max: 40_000 }).map((day) => day * 86_400_000);
  const time = fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.tuple(midnight, fc.constantFrom(0, 1, 86_399_999)).map(([start, after]) => start + after),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), (times) => {
      for (const at of times) {
        const date = new Date(at).toISOString();
        const { day, month } = daysOf(at);
        assert.equal(new Date(day * 86_400_000).toISOString().slice(0, 10), date.slice(0, 10));
        assert.equal(new Date(Date.UTC(1970, month)).toISOString().slice(0, 7), date.slice(0, 7));
      }
    }),
  );
});
