import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isResumable, judgeOwnership } from './ownership.ts';

const LEASE_MS = 15_000;
const task = fc.record({ isResumable: fc.boolean(), callTimeoutMs: fc.integer({ min: 1_000, max: 3_600_000 }) });
const duration = fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 8_000_000 }));
const owner = fc.record({
  lock: fc.constantFrom('held' as const, 'free' as const, 'unknown' as const),
  silentForMs: duration,
  beatAgeMs: duration,
});

test('tasks that might be paid twice, or whose answer a living process has, are never taken over', () => {
  fc.assert(
    fc.property(task, owner, duration, (each, peer, confirmedForMs) => {
      const verdict = judgeOwnership(each, peer, { leaseMs: LEASE_MS, confirmedForMs });
      const isEnded = peer.lock === 'free';
      if (!isEnded && (peer.silentForMs < LEASE_MS || confirmedForMs < LEASE_MS)) assert.equal(verdict, 'keep');
      if (!isEnded && !each.isResumable && peer.beatAgeMs < each.callTimeoutMs + 60_000) assert.equal(verdict, 'keep');
      if (!each.isResumable) assert.notEqual(verdict, 'take over');
      if (each.isResumable) assert.notEqual(verdict, 'unknown outcome');
    }),
  );
});

test('tasks of an ended or long silent process are always taken over', () => {
  fc.assert(
    fc.property(task, owner, (each, peer) => {
      const expected = each.isResumable ? 'take over' : 'unknown outcome';
      const terms = { leaseMs: LEASE_MS, confirmedForMs: 0 };
      assert.equal(judgeOwnership(each, { ...peer, lock: 'free' }, terms), expected, 'it has ended');
      const silent = { ...peer, silentForMs: LEASE_MS, beatAgeMs: each.callTimeoutMs + 60_000 };
      const confirmed = { ...terms, confirmedForMs: LEASE_MS };
      assert.equal(judgeOwnership(each, silent, confirmed), expected, 'it has timed out');
      const earlier = { ...silent, lock: 'held', beatAgeMs: silent.beatAgeMs - 1 } as const;
      const kept = each.isResumable ? 'take over' : 'keep';
      assert.equal(judgeOwnership(each, earlier, confirmed), kept, 'its result may still be stored');
    }),
  );
});

test('longer silence never makes a takeover less likely', () => {
  const rank = { keep: 0, 'take over': 1, 'unknown outcome': 1 };
  fc.assert(
    fc.property(task, owner, duration, fc.nat(9_000_000), (each, peer, confirmedForMs, moreMs) => {
      const later = { ...peer, silentForMs: peer.silentForMs + moreMs, beatAgeMs: peer.beatAgeMs + moreMs };
      const now = judgeOwnership(each, peer, { leaseMs: LEASE_MS, confirmedForMs });
      const then = judgeOwnership(each, later, { leaseMs: LEASE_MS, confirmedForMs: confirmedForMs + moreMs });
      assert.ok(rank[then] >= rank[now], `${now}, then ${then}`);
    }),
  );
});

test('every step is resumable except a submission at an engine that is not repeatable', () => {
  const steps = ['waiting', 'preparing', 'submitting', 'deferred', 'running', 'final'] as const;
  const kept = (repeatable: boolean) => steps.filter((step) => !isResumable({ step }, { repeatable }));
  assert.deepEqual(kept(false), ['submitting']);
  assert.deepEqual(kept(true), []);
});
