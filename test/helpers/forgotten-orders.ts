import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '@darkroom-service/testing';
import { assertEnded, type ConformanceBench, type EngineHarness } from './conformance-bench.ts';

/** Tests what becomes of orders that an upstream no longer knows. */
export function forgottenOrders(harness: EngineHarness, open: () => ConformanceBench): void {
  if (harness.isFree === true) {
    it('is submitted again, twice', async () => {
      const bench = open();
      const made = bench.make('run=100000');
      const times = 3;
      for (let polls = 0, losses = 0; losses < times; losses++) {
        polls = await bench.untilPolls(polls);
        bench.fake.forget();
        bench.clock.aheadMs += 120_000;
      }
      const message = /no longer knows.*third time/;
      assertEnded((await made).task, { status: 'failed', code: 'upstream_error', message }, 'forgotten');
      assert.equal(bench.fake.counts((await made).job).accepted, times);
    });
    return;
  }

  it('is delivered once the upstream knows it again', async () => {
    const bench = open();
    const made = bench.make('run=3');
    const restore = await forget(bench);
    restore();
    await bench.untilPolls(3);
    const { task, job } = await made;
    assertEnded(task, { status: 'succeeded' }, 'known again');
    assert.equal(bench.fake.counts(job).accepted, 1);
  });

  it('is asked for until its deadline', async () => {
    const bench = open();
    const made = bench.make('run=100000');
    await forget(bench);
    // Past the deadline of a batch, which is the longest.
    bench.clock.aheadMs += 50 * 3_600_000;
    const { task, job } = await made;
    assertEnded(task, { status: 'failed', code: 'upstream_error', message: /no longer knows/ }, 'forgotten');
    assert.equal(bench.fake.counts(job).accepted, 1);
  });
}

/**
 * Has the upstream forget all orders, and waits until a check after the first minute has found that out.
 * @returns gives the upstream back what it knew
 */
async function forget(bench: ConformanceBench): Promise<() => void> {
  await bench.untilPolls(0);
  const restore = bench.fake.forget();
  bench.clock.aheadMs += 120_000;
  const from = bench.logged.length;
  await until(() => bench.logged.slice(from).some((line) => line.includes('no longer knows')), Boolean);
  return restore;
}
