import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSpan } from './time-span.ts';

test('a duration is written in the largest unit that it fills', () => {
  const told = [600, 12_000, 60_000, 90_000, 3_600_000, 21_600_000].map(describeSpan);
  assert.deepEqual(told, ['0.6 seconds', '12 seconds', '1 minute', '1.5 minutes', '1 hour', '6 hours']);
});
