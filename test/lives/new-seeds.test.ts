import './zlib-at-once.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsPromises } from './keeps-promises.ts';
import { openStage } from './life.ts';

const LIVED_MS = 20_000;

test('new seeds keep every promise', async (t) => {
  const stage = await openStage(t);
  const until = performance.now() + LIVED_MS;
  let lived = 0;
  for (let seed = Math.floor(Date.now() / 1_000); performance.now() < until; seed++) {
    lived += await keepsPromises(t, stage, seed);
  }
  t.diagnostic(`${lived} lives with new seeds`);
  assert.ok(lived > 0);
});
