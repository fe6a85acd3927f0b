import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createOutageJudge } from './outage-judge.ts';

const failed = (at: number) => ({ ok: false, at, silentMs: null, stalledMs: 0 });
const silent = (at: number, silentMs: number, stalledMs = 0) => ({ ok: false, at, silentMs, stalledMs });
const fine = (at: number) => ({ ok: true, at, silentMs: null, stalledMs: 0 });

test('three failed looks within fifteen seconds are an outage, and the next good one ends it', () => {
  const judge = createOutageJudge();
  assert.deepEqual([failed(0), failed(5_000), failed(10_000), failed(11_000), fine(12_000), fine(13_000)].map(judge), [
    null,
    null,
    'began',
    null,
    'ended',
    null,
  ]);
  const slow = createOutageJudge();
  assert.deepEqual([failed(0), failed(8_000), failed(16_000), failed(22_000)].map(slow), [null, null, null, 'began']);
});

test('ten seconds without an answer are an outage, but not while this process stood still itself', () => {
  const judge = createOutageJudge();
  assert.deepEqual([silent(1_500, 1_500), silent(9_000, 9_000), silent(10_000, 10_000)].map(judge), [
    null,
    null,
    'began',
  ]);
  const busy = createOutageJudge();
  assert.deepEqual([silent(1_500, 1_500, 0), silent(12_000, 12_000, 9_000), silent(20_000, 20_000, 11_000)].map(busy), [
    null,
    null,
    null,
  ]);
  assert.equal(busy(silent(21_000, 21_000, 11_000)), 'began');
});

test('whatever the looks, an outage begins at most once until it ends, and a dependency that hangs is told within a minute', () => {
  const look = fc.record({
    wait: fc.integer({ min: 1, max: 20_000 }),
    kind: fc.constantFrom('fine', 'failed', 'silent'),
  });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 60 }), (looks) => {
      const judge = createOutageJudge();
      let at = 0;
      let isOut = false;
      let silentSince: number | null = null;
      for (const { wait, kind } of looks) {
        at += wait;
        silentSince = kind === 'silent' ? (silentSince ?? at) : null;
        // This process looks as busy as can be.
        const silentMs = silentSince === null ? null : at - silentSince;
        const verdict = judge({ ok: kind === 'fine', at, silentMs, stalledMs: at });
        assert.notEqual(verdict, isOut ? 'began' : 'ended');
        if (verdict !== null) isOut = verdict === 'began';
        if (silentMs !== null && silentMs >= 60_000) assert.ok(isOut);
        if (kind === 'fine') assert.ok(!isOut);
      }
    }),
  );
});
