import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadColours } from './spread-colours.ts';

test('invisible pixels beside visible ones get their colours, and nothing that is seen changes', () => {
  const width = 24;
  const values = new Uint8Array(width * width * 4);
  const place = (x: number, y: number) => (y * width + x) * 4;
  values.set([200, 40, 30, 255], place(12, 12));
  values.set([10, 90, 30, 128], place(0, 0));
  spreadColours({ width, height: width, values });
  const at = (x: number, y: number) => [...values.subarray(place(x, y), place(x, y) + 4)];
  assert.deepEqual(
    [at(12, 12), at(0, 0)],
    [
      [200, 40, 30, 255],
      [10, 90, 30, 128],
    ],
  );
  for (const [x, y] of [
    [13, 12],
    [12, 6],
    [15, 15],
  ] as const)
    assert.deepEqual(at(x, y), [200, 40, 30, 0]);
  assert.deepEqual(
    [at(1, 0), at(23, 23)],
    [
      [10, 90, 30, 0],
      [0, 0, 0, 0],
    ],
  );
});
