import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UPSTREAM_FAULTS } from '@darkroom-service/contract';
import fc from 'fast-check';
import {
  afterFault,
  type Blame,
  closesIt,
  describeShut,
  gravest,
  isLong,
  notMadeReason,
  type Shut,
  spendLimitReason,
  stateOf,
  whatHelps,
} from './valve.ts';

const MINUTE = 60_000;
const blame = (changes: Partial<Blame> = {}): Blame => ({
  subject: 'alpha',
  call: 'start',
  fault: 'busy',
  message: 'not now',
  retryAfterMs: null,
  ...changes,
});
const anyBlame: fc.Arbitrary<Blame> = fc.record({
  subject: fc.constant('alpha'),
  call: fc.constantFrom('start', 'check'),
  fault: fc.constantFrom(...UPSTREAM_FAULTS),
  message: fc.constant('not now'),
  retryAfterMs: fc.constantFrom(null, 0, 500, 10 * MINUTE),
  isProven: fc.boolean(),
});
/** Shuts again and again, each time as soon as it may be tested. */
function pausesOf(first: Shut, again: Blame, count: number): number[] {
  const pauses = [first.retry_at - first.since];
  for (let shut = first; pauses.length < count; ) {
    const next = afterFault(shut, again, false, shut.retry_at);
    assert.ok(next);
    pauses.push(next.retry_at - shut.retry_at);
    shut = next;
  }
  return pauses;
}

describe('a valve', () => {
  it('shuts after enough faults in a row, and at once for authentication or billing errors', () => {
    assert.equal(afterFault(null, blame(), false, 0), null);
    assert.equal(afterFault(null, blame(), true, 0)?.retry_at, 15_000);
    for (const fault of ['auth', 'billing'] as const)
      assert.equal(afterFault(null, blame({ fault, isProven: true }), false, 0)?.retry_at, 5 * MINUTE);
  });

  it('pauses longer after each failed test order, up to five minutes or an hour', () => {
    const busy = afterFault(null, blame(), true, 0);
    const poor = afterFault(null, blame({ fault: 'billing', isProven: true }), false, 0);
    assert.ok(busy && poor);
    assert.deepEqual(
      pausesOf(busy, blame(), 7),
      [15, 30, 60, 120, 240, 300, 300].map((seconds) => seconds * 1000),
    );
    assert.deepEqual(
      pausesOf(poor, blame({ fault: 'billing', isProven: true }), 6),
      [5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE),
    );
  });

  it('is probed every 15 seconds while a free probe fails, however long that lasts', () => {
    let shut = afterFault(null, blame(), true, 0);
    for (let probes = 1; probes <= 100; probes++) {
      shut = afterFault(shut, blame({ isProbe: true }), false, shut?.retry_at ?? 0);
      assert.deepEqual([shut?.times, shut?.since, shut?.retry_at], [1, 0, 15_000 * (probes + 1)]);
    }
  });

  it('stays shut for as long as the upstream asks, and then opens without a test order', () => {
    const held = afterFault(null, blame({ fault: 'rate_limited', retryAfterMs: 7_000 }), false, 1_000);
    assert.ok(held);
    assert.deepEqual([held.retry_at, isLong(held)], [8_000, false]);
    assert.equal(stateOf(gravest([held], 7_999), 7_999), 'shut');
    assert.equal(stateOf(gravest([held], 8_000), 8_000), 'free');
    assert.equal(closesIt(held, 'start', 5_000), false, 'an order that went out before says nothing');
  });

  it('is not opened by an older order while the key is wrong, nor by checks of running orders', () => {
    const wrong = afterFault(null, blame({ fault: 'auth', isProven: true }), false, 0);
    assert.ok(wrong);
    assert.deepEqual([closesIt(wrong, 'start', MINUTE), closesIt(wrong, 'start', 5 * MINUTE)], [false, true]);
    assert.equal(closesIt(wrong, 'check', 5 * MINUTE), false);
    const busy = afterFault(null, blame(), true, 0);
    assert.ok(busy);
    assert.deepEqual([closesIt(busy, 'start', 1), closesIt(busy, 'check', 1)], [true, false]);
    const silent = afterFault(null, blame({ call: 'check' }), true, 0);
    assert.ok(silent);
    assert.equal(closesIt(silent, 'check', 1), true);
  });

  it('is of a spend limit or a model that is not loaded by its kind, whatever its message says', () => {
    const message = spendLimitReason('day');
    const poor = afterFault(null, blame({ fault: 'billing', message, isProven: true }), false, 0);
    assert.ok(poor);
    assert.match(whatHelps(poor) ?? '', /^add credit/);
    assert.match(whatHelps({ ...poor, kind: 'spend_limit' }) ?? '', /^raise its spend limit/);
    const made = blame({ subject: 'own/vid', fault: 'upstream', message: notMadeReason('own', 'vid', ['img']) });
    const [gone, idle] = (['outage', 'not_loaded'] as const).map((kind) =>
      afterFault(null, { ...made, kind }, true, 0),
    );
    assert.ok(gone && idle);
    assert.match(describeShut(gone, 0), /^has received no orders .* close the circuit/);
    assert.match(describeShut(idle, 0), /^is not ordered .* as soon as it makes it$/);
  });

  it('never shortens its pause, never pauses longer than an hour by itself, and is always tested in the end', () => {
    const history = fc.array(
      fc.record({ blame: anyBlame, tripped: fc.boolean(), afterMs: fc.nat({ max: 20 * MINUTE }) }),
    );
    fc.assert(
      fc.property(history, (events) => {
        let now = 0;
        let row: Shut | null = null;
        for (const { blame: next, tripped, afterMs } of events) {
          now += afterMs;
          const before: Shut | null = gravest(row === null ? [] : [row], now);
          const after = afterFault(before, next, tripped, now);
          if (after === null) continue;
          assert.ok(after.since <= now && after.retry_at >= now);
          assert.ok(after.retry_at - now <= 60 * MINUTE);
          if (before !== null && stateOf(before, now) === 'shut' && next.fault !== 'auth' && next.fault !== 'billing')
            assert.ok(after.retry_at >= before.retry_at, 'a fault of a shut valve never makes it shorter');
          row = after;
        }
        const end = ((row as Shut | null)?.retry_at ?? 0) + 1;
        assert.notEqual(stateOf(gravest(row === null ? [] : [row], end), end), 'shut');
      }),
    );
  });
});
