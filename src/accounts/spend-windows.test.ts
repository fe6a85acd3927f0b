import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { periodOf } from './spend-windows.ts';

test('the windows of any times, in any order, are those of their own UTC day', () => {
  const midnight = fc.integer({ min: 0, max: 40_000 }).map((day) => day * 86_400_000);
  const time = fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.tuple(midnight, fc.constantFrom(0, 1, 86_399_999)).map(([start, after]) => start + after),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), (times) => {
      for (const at of times) {
        const date = new Date(at).toISOString();
        assert.equal(periodOf('day', at), `day:${date.slice(0, 10)}`);
        assert.equal(periodOf('month', at), `month:${date.slice(0, 7)}`);
        assert.equal(periodOf('total', at), 'total');
      }
    }),
  );
});
