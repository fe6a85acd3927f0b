import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWay } from './helpers/way-of-a-picture.ts';

/** Counting changes Node's modules and `globalThis`, so this file has a process of its own. */
const measure = await openWay();

/** The most of each for one picture that nobody else's shares anything with. What is not listed is not done at all. */
const MOST: Readonly<Record<string, number>> = {
  // Placed and begun, settled, delivered.
  'begins and commits': 6,
  statements: 18,
  // Of each commit, the file and its directory.
  flushes: 5,
  // Their number depends on the time that a picture takes.
  timers: Number.POSITIVE_INFINITY,
  'files opened': 2,
  writes: 1,
  'files renamed': 1,
};
/** A chore in the background, such as the heartbeat, is counted too. */
const BESIDE = 0.5;

test('a picture is written once, and makes no directory, no temporary copy and no work for another process', async () => {
  const fewest = new Map<string, number>();
  // What a busy machine adds, such as one look more for work, is not in all rounds.
  for (let round = 0; round < 3; round++)
    for (const [name, found] of (await measure(40, 1)).perPicture)
      fewest.set(name, Math.min(fewest.get(name) ?? Number.POSITIVE_INFINITY, found));
  for (const [name, found] of fewest) {
    const most = MOST[name] ?? 0;
    assert.ok(found <= most + Math.max(BESIDE, most / 10), `${name}: ${found} a picture, at most ${most}`);
  }
});

test('pictures that come together share commits and flushes', async () => {
  const { perPicture } = await measure(80, 16);
  for (const name of ['begins and commits', 'flushes', 'statements'])
    assert.ok((perPicture.get(name) ?? 0) < (MOST[name] ?? 0) * 0.75, `${name}: ${perPicture.get(name)} a picture`);
});
