import assert from 'node:assert/strict';
import { test } from 'node:test';
import { live } from './life.ts';

/** With deaths of processes, and an upstream that answers a repeated order for the first one. */
const SEED = 18;

test('orders that live through deaths, lost answers and cancels keep every promise, and a seed repeats it all', async (t) => {
  const first = await live(t, SEED, 30);
  assert.ok(first.deaths > 0 && (first.ends.succeeded ?? 0) > 10, String(first.story[0]));
  assert.equal((await live(t, SEED, 30)).story.join('\n'), first.story.join('\n'));
});

test('a judge finds an order that its upstream makes twice', async (t) => {
  await assert.rejects(live(t, SEED, 30, true), ({ cause }: Error) => /was begun twice/.test(String(cause)));
});
