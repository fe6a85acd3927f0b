import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../chaos/random.ts';
import { slopeOf } from './slope.ts';

function samples(perMinute: number) {
  const random = createRandom(7, 'slope');
  return Array.from({ length: 240 }, (_, turn) => ({
    minute: turn / 6,
    value: 200 + perMinute * (turn / 6) + random.next() * 8,
  }));
}

test('a figure that grows has a slope whose interval lies above zero', () => {
  const { low, high } = slopeOf(samples(0.5));
  assert.ok(low > 0.3 && high < 0.7, `${low} to ${high}`);
});

test('a figure that only trembles has zero within the interval of its slope', () => {
  const { low, high } = slopeOf(samples(0));
  assert.ok(low < 0 && high > 0, `${low} to ${high}`);
});
