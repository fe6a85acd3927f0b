import assert from 'node:assert/strict';
import { test } from 'node:test';
import { live, openStage } from './life.ts';
import { planOf } from './plan.ts';

/** Three processes that die, and an upstream that answers a repeated order for the first one. */
const PLAN = { ...planOf(18, 30), deaths: 0.02 };

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
