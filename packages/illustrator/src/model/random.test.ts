import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lighten, lightness, mix, toHex, toRgb } from './colour.ts';
import { chanceAt, createRandom, smoothNoise } from './random.ts';

test('a seed gives the same numbers each time, another seed or salt gives others', () => {
  const row = (seed: number, salt: string) => Array.from({ length: 5 }, createRandom(seed, salt).next);
  assert.deepEqual(row(1, 'a'), row(1, 'a'));
  assert.notDeepEqual(row(1, 'a'), row(2, 'a'));
  assert.notDeepEqual(row(1, 'a'), row(1, 'b'));
});

test('chances are spread evenly from 0 to 1, whatever the place', () => {
  const bins = Array.from({ length: 10 }, () => 0);
  for (let x = -50; x < 50; x++) for (let y = 0; y < 100; y++) bins[Math.floor(chanceAt(9, 'star', x, y) * 10)]!++;
  for (const bin of bins) assert.ok(bin > 850 && bin < 1150, `${bins}`);
});

test('noise is smooth and stays within −1 and 1', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: -1000, max: 1000, noNaN: true }), (seed, x) => {
      const value = smoothNoise(seed, x);
      assert.ok(value >= -1 && value <= 1);
      assert.ok(Math.abs(value - smoothNoise(seed, x + 0.001)) < 0.01);
    }),
  );
});

test('colours survive conversion both ways, and mix between their ends', () => {
  fc.assert(
    fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (red, green, blue) => {
      const colour = toHex([red, green, blue]);
      assert.deepEqual(toRgb(colour), [red, green, blue]);
      assert.equal(mix(colour, '#123456', 0), colour);
      assert.ok(lightness(lighten(colour, 0.3)) >= lightness(colour) - 0.01);
    }),
  );
});
