import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UPSTREAM_FAULTS } from '@darkroom-service/contract';
import fc from 'fast-check';
import {
  afterFault,
  type Blame,
  closesIt,
  describeCircuit,
  isLong,
  notMadeReason,
  type Opened,
  spendLimitReason,
  standing,
  stateOf,
  whatHelps,
} from './circuit.ts';

const MINUTE = 60_000;
const blame = (changes: Partial<Blame> = {}): Blame => ({
  engine: 'alpha',
  call: 'start',
  fault: 'busy',
  message: 'not now',
  retryAfterMs: null,
  ...changes,
});
const anyBlame: fc.Arbitrary<Blame> = fc.record({
  engine: fc.constant('alpha'),
  call: fc.constantFrom('start', 'check'),
  fault: fc.constantFrom(...UPSTREAM_FAULTS),
  message: fc.constant('not now'),
  retryAfterMs: fc.constantFrom(null, 0, 500, 10 * MINUTE),
  isProven: fc.boolean(),
});
/** Opens again and again, each time as soon as it is half open. */
function openings(first: Opened, again: Blame, count: number): number[] {
  const pauses = [first.retry_at - first.opened_at];
  for (let opened = first; pauses.length < count; ) {
    const next = afterFault(opened, again, false, opened.retry_at);
    assert.ok(next);
    pauses.push(next.retry_at - opened.retry_at);
    opened = next;
  }
  return pauses;
}

describe('a circuit', () => {
  it('opens after enough faults in a row, and at once for authentication or billing errors', () => {
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
      openings(busy, blame(), 7),
      [15, 30, 60, 120, 240, 300, 300].map((seconds) => seconds * 1000),
    );
    assert.deepEqual(
      openings(poor, blame({ fault: 'billing', isProven: true }), 6),
      [5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE),
    );
  });

  it('is probed every 15 seconds while a free probe fails, however long that lasts', () => {
    let opened = afterFault(null, blame(), true, 0);
    for (let probes = 1; probes <= 100; probes++) {
      opened = afterFault(opened, blame({ isProbe: true }), false, opened?.retry_at ?? 0);
      assert.deepEqual([opened?.openings, opened?.opened_at, opened?.retry_at], [1, 0, 15_000 * (probes + 1)]);
    }
  });

  it('stays open for as long as the upstream asks, and then closes without a test order', () => {
    const held = afterFault(null, blame({ fault: 'rate_limited', retryAfterMs: 7_000 }), false, 1_000);
    assert.ok(held);
    assert.deepEqual([held.retry_at, isLong(held)], [8_000, false]);
    assert.equal(stateOf(standing(held, 7_999), 7_999), 'open');
    assert.equal(stateOf(standing(held, 8_000), 8_000), 'closed');
    assert.equal(closesIt(held, 'start', 5_000), false, 'an order that went out before says nothing');
  });

  it('is not closed by an older order while the key is wrong, nor by checks of running orders', () => {
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
    const made = blame({ engine: 'own/vid', fault: 'upstream', message: notMadeReason('own', 'vid', ['img']) });
    const [gone, idle] = (['outage', 'not_loaded'] as const).map((kind) =>
      afterFault(null, { ...made, kind }, true, 0),
    );
    assert.ok(gone && idle);
    assert.match(describeCircuit(gone, 0), /^has received no orders .* close the circuit/);
    assert.match(describeCircuit(idle, 0), /^is not ordered .* as soon as it makes it$/);
  });

  it('never shortens its pause, never pauses longer than an hour by itself, and is always tested in the end', () => {
    const history = fc.array(
      fc.record({ blame: anyBlame, tripped: fc.boolean(), afterMs: fc.nat({ max: 20 * MINUTE }) }),
    );
    fc.assert(
      fc.property(history, (events) => {
        let now = 0;
        let row: Opened | undefined;
        for (const { blame: next, tripped, afterMs } of events) {
          now += afterMs;
          const before = standing(row, now);
          const after = afterFault(before, next, tripped, now);
          if (after === null) continue;
          assert.ok(after.opened_at <= now && after.retry_at >= now);
          assert.ok(after.retry_at - now <= 60 * MINUTE);
          if (before !== null && stateOf(before, now) === 'open' && next.fault !== 'auth' && next.fault !== 'billing')
            assert.ok(after.retry_at >= before.retry_at, 'a fault of an open circuit never makes it shorter');
          row = after;
        }
        const end = (row?.retry_at ?? 0) + 1;
        assert.notEqual(stateOf(standing(row, end), end), 'open');
      }),
    );
  });
});
