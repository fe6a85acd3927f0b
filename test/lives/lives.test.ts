import './zlib-at-once.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILED_SEEDS } from './failed-seeds.ts';
import { keepsPromises } from './keeps-promises.ts';
import { live, openStage } from './life.ts';
import { planOf } from './plan.ts';
import { failureOf, shrink } from './shrink.ts';

/** Three processes that die, and an upstream that answers a repeated order for the first one. */
const PLAN = { ...planOf(18, 30), deaths: 0.02, spendLimit: null, batch: 8, revokes: false };
/** One process that dies, on a disk that loses what was not flushed. */
const ALONE = { ...PLAN, processes: 1, stalls: 0, lostConnections: 0, unknownCommits: 0, powerCuts: 0.5 };
/** Processes that die, and an upstream that makes twice what it is sent twice. */
const LIED_TO = { ...planOf(25, 30), deaths: 0.02, spendLimit: null, batch: 0, revokes: false };

test('orders that live through deaths, lost answers and cancels keep every promise, and a seed repeats it all', async (t) => {
  const stage = await openStage(t);
  const first = await live(stage, PLAN);
  assert.ok(first.deaths > 0 && (first.ends.succeeded ?? 0) > 10, String(first.story[0]));
  assert.equal((await live(stage, PLAN)).story.join('\n'), first.story.join('\n'));
});

test('a seed tells the same story on the first disk of a program and on one that was used before', async (t) => {
  const first = await live(await openStage(t), ALONE);
  assert.match(first.story.join('\n'), /disk loses/);
  const stage = await openStage(t);
  await live(stage, PLAN);
  assert.equal((await live(stage, ALONE)).story.join('\n'), first.story.join('\n'));
});

test('a judge finds an order that its upstream makes twice, and the story of it is made short', async (t) => {
  const stage = await openStage(t);
  const failed = await failureOf(stage, LIED_TO, { lies: true });
  assert.ok(failed !== null);
  const { plan, story, cause } = await shrink(stage, failed, { lies: true });
  assert.match(String(cause), /was begun twice/);
  assert.ok(plan.orders < LIED_TO.orders / 3 && story.length < failed.story.length, story.join('\n'));
});

test('seeds in which a judge once found something keep every promise', async (t) => {
  const stage = await openStage(t);
  for (const { seed } of FAILED_SEEDS) await keepsPromises(t, stage, seed);
});
