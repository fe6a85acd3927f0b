import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { PieceWindow } from './piece-window.ts';

/** Returns how many pieces were counted until the window was too small; null = it never was. */
function endOf(window: PieceWindow, pieces: Iterable<number>): number | null {
  let counted = 0;
  for (const bytes of pieces) {
    counted++;
    if (window.add(bytes)) return counted;
  }
  return null;
}

function timeOf(t: TestContext): { ms: number } {
  const time = { ms: 0 };
  t.mock.method(performance, 'now', () => time.ms);
  return time;
}

test('2,000 pieces of fewer than 64 bytes are too small, and of 64 are not, however many follow', () => {
  assert.equal(endOf(new PieceWindow(), Array(5_000).fill(63)), 2_000);
  assert.equal(endOf(new PieceWindow(), Array(50_000).fill(64)), null);
  assert.equal(endOf(new PieceWindow(), Array(1_999).fill(1)), null);
  assert.equal(endOf(new PieceWindow(), Array(2_000).fill(0)), 2_000);
});

test('large pieces before make up for at most the next 2,000 small ones', () => {
  const start = [...Array(10_000).fill(65_536), ...Array(5_000).fill(1)];
  assert.equal(endOf(new PieceWindow(), start), 12_000);
});

test('whatever passes has 128,000 bytes in each 2,000 pieces that follow one another, give or take 100', () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(0, 1, 40, 64, 90, 65_536)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(sizes, (runs) => {
      const pieces = runs.flatMap(([count, bytes]) => Array<number>(count).fill(bytes));
      const passed = pieces.slice(0, (endOf(new PieceWindow(), pieces) ?? pieces.length + 1) - 1);
      for (let from = 0; from + 2_100 <= passed.length; from++) {
        assert.ok(passed.slice(from, from + 2_100).reduce((sum, bytes) => sum + bytes, 0) >= 128_000);
      }
    }),
    { numRuns: 30 },
  );
});

test('small pieces that come slowly are no work, unless no time is set', (t) => {
  const time = timeOf(t);
  function* slow(everyMs: number) {
    for (let count = 0; count < 10_000; count++) {
      time.ms += everyMs;
      yield 1;
    }
  }
  assert.equal(endOf(new PieceWindow(10_000), slow(6)), null);
  assert.equal(endOf(new PieceWindow(10_000), slow(4)), 2_000);
  assert.equal(endOf(new PieceWindow(), slow(6)), 2_000);
});
