import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';

const SHARE = 0.4;
const SEEDS = 2 ** 31;

/**
 * Draws two fifths of these kills, always with the first and the last one, in their order. `DARKROOM_TEST_SEED` repeats
 * a drawing, whose seed the report of the test names; `DARKROOM_TEST_KILLS=all`, which `npm run test:kills` sets, keeps
 * all of them.
 */
export function drawKills<T>(t: Pick<TestContext, 'diagnostic'>, all: readonly T[]): readonly T[] {
  if (process.env.DARKROOM_TEST_KILLS === 'all') return all;
  const seed = Number(process.env.DARKROOM_TEST_SEED ?? randomInt(SEEDS));
  const next = randomOf(seed);
  const between = all.slice(1, -1).map((_, index) => ({ index: index + 1, at: next() }));
  const count = Math.max(0, Math.ceil(all.length * SHARE) - 2);
  const drawn = between.sort((a, b) => a.at - b.at).slice(0, count);
  const kept = new Set([0, all.length - 1, ...drawn.map(({ index }) => index)]);
  t.diagnostic(`drew ${kept.size} of ${all.length} kills; repeat them with DARKROOM_TEST_SEED=${seed}`);
  return all.filter((_, index) => kept.has(index));
}

/** Mulberry32: numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
