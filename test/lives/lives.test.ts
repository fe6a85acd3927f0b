import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedLives, live, openStage } from './life.ts';
import { planOf } from './plan.ts';

/** Three processes that die, and an upstream that answers a repeated order for the first one. */
const PLAN = { ...planOf(18, 30), deaths: 0.02 };
/** For so long new seeds are lived, each with so many orders, as `npm run lives` does. */
const NEW_SEEDS_MS = 20_000;
const ORDERS = 50;

test('orders that live through deaths, lost answers and cancels keep every promise, and a seed repeats it all', async (t) => {
  const stage = await openStage(t);
  const first = await live(stage, PLAN);
  assert.ok(first.deaths > 0 && (first.ends.succeeded ?? 0) > 10, String(first.story[0]));
  assert.equal((await live(stage, PLAN)).story.join('\n'), first.story.join('\n'));
});

test('a judge finds an order that its upstream makes twice', async (t) => {
  await assert.rejects(live(await openStage(t), PLAN, { lies: true }), ({ cause }: Error) =>
    /was begun twice/.test(String(cause)),
  );
});

test('new seeds keep every promise', async (t) => {
  const stage = await openStage(t);
  const until = performance.now() + NEW_SEEDS_MS;
  let lived = 0;
  for (let seed = Math.floor(Date.now() / 1_000); performance.now() < until; seed++) {
    try {
      await live(stage, planOf(seed, ORDERS));
    } catch (error) {
      // The plan repeats it: `npm run lives -- --seed <seed> --lives 50` tells the shortest story.
      if (error instanceof FailedLives) t.diagnostic(error.story.join('\n'));
      throw error;
    }
    lived += ORDERS;
  }
  t.diagnostic(`${lived} lives with new seeds`);
  assert.ok(lived > 0);
});
