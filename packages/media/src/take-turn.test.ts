import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeTurn } from './take-turn.ts';

test('turns come by rank and then by time, each after the work of the one before', async () => {
  const done: string[] = [];
  const work = async (name: string, rank: number) => {
    await takeTurn(rank);
    done.push(name);
  };
  await Promise.all([work('later', 2), work('first', 1), work('second', 1), work('now', 0)]);
  assert.deepEqual(done, ['now', 'first', 'second', 'later']);
});

test('long work is shared out over several turns of the event loop', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  const keepBusy = async () => {
    await takeTurn();
    for (const end = performance.now() + 20; performance.now() < end; );
  };
  await Promise.all(Array.from({ length: 5 }, keepBusy));
  clearInterval(count);
  assert.ok(turns >= 3, `others had ${turns} turns`);
});
