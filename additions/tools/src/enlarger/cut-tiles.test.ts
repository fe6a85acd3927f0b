import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NETWORK_FACTOR } from '../network/enlarging-network.ts';
import { cutTiles, MOST_PIXELS, pixelsIn, placeTile } from './cut-tiles.ts';

test('tiles of whatever picture fit the memory, and an enlargement that repeats pixels is put together without a seam', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 16, max: 300 }),
      fc.integer({ min: 16, max: 300 }),
      fc.constantFrom(2 as const, 4 as const),
      (width, height, factor) => {
        const picture = { width, channels: 3, most: 255 };
        const values = Uint8Array.from({ length: width * height * 3 }, (_, n) => (n * 7) % 251);
        const larger = { width: width * factor, channels: 3, most: 255, factor };
        const made = new Uint8Array(values.length * factor ** 2);
        for (const tile of cutTiles(width, height)) {
          assert.ok((tile.window.width + 2) * (tile.window.height + 2) <= MOST_PIXELS);
          placeTile(tile, repeated(pixelsIn(tile.window, picture, values), tile.window.width), larger, made);
        }
        for (let y = 0; y < height * factor; y++)
          for (let x = 0; x < width * factor; x++) {
            const at = (Math.floor(y / factor) * width + Math.floor(x / factor)) * 3;
            const to = (y * width * factor + x) * 3;
            if (made[to] !== values[at] || made[to + 2] !== values[at + 2]) assert.fail(`pixel ${x},${y}`);
          }
      },
    ),
    { numRuns: 6 },
  );
});

/** Repeats each pixel as often as the network enlarges it. */
function repeated(pixels: Float32Array, width: number): Float32Array {
  const made = new Float32Array(pixels.length * NETWORK_FACTOR ** 2);
  const row = width * NETWORK_FACTOR;
  for (let n = 0; n < made.length / 3; n++) {
    const [x, y] = [Math.floor((n % row) / NETWORK_FACTOR), Math.floor(n / row / NETWORK_FACTOR)];
    made.set(pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), n * 3);
  }
  return made;
}
