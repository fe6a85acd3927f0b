import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { countWays } from './structure/count-ways.ts';

/** The most functions and files that a value passes, and returns to a file that it had left. These only fall. */
const MOST: Readonly<Record<string, readonly [functions: number, files: number, returns: number]>> = {
  order: [50, 32, 5],
  price: [26, 19, 3],
  task: [56, 33, 9],
  result: [35, 20, 6],
};

test('an order, a price, a claimed task and a result pass no more functions and files than before', async () => {
  const ways = await countWays(join(import.meta.dirname, '..'));
  for (const { name, stays, files, returns } of ways) {
    const most = MOST[name];
    if (most === undefined) continue;
    const found = [stays.length, files, returns];
    const told = `${name}: ${found} functions, files, returns; at most ${most}\n${stays.join('\n')}`;
    assert.ok(
      found.every((count, at) => count <= (most[at] ?? 0)),
      told,
    );
  }
});
