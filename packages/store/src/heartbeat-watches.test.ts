import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLoopWatch } from './loop-watch.ts';
import { createSilenceWatch } from './silence-watch.ts';

const GAP_MS = 7_500;

test('the silence of a process counts only while it was observed without a gap', () => {
  const look = fc.record({ afterMs: fc.integer({ min: 0, max: 12_000 }), beats: fc.boolean() });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 30 }), (looks) => {
      const watch = createSilenceWatch(GAP_MS);
      let [nowMs, beats, expected, isFirst] = [0, 1, 0, true];
      for (const { afterMs, beats: hasBeaten } of looks) {
        nowMs += afterMs;
        if (hasBeaten) beats++;
        const isGap = isFirst || afterMs > GAP_MS;
        expected = isGap || hasBeaten ? 0 : expected + afterMs;
        isFirst = false;
        assert.equal(watch.observe(nowMs, [{ id: 'other', beats }]).get('other'), expected);
        assert.ok(watch.confirmedForMs >= expected, 'no silence is longer than what was seen');
      }
    }),
  );
});

test('a process that is seen for the first time, or again, has not been silent', () => {
  const watch = createSilenceWatch(GAP_MS);
  const silences = (nowMs: number, ids: readonly string[]) => [
    ...watch.observe(
      nowMs,
      ids.map((id) => ({ id, beats: 3 })),
    ),
  ];
  silences(0, ['a']);
  assert.deepEqual(silences(3_000, ['a', 'b']), [
    ['a', 3_000],
    ['b', 0],
  ]);
  assert.deepEqual(silences(6_000, ['b']), [['b', 3_000]]);
  assert.deepEqual(silences(9_000, ['a', 'b']), [
    ['a', 0],
    ['b', 6_000],
  ]);
});

test('a blocked event loop is told apart from a paused process', () => {
  const watch = createLoopWatch(1_000);
  watch.tick(0, 1);
  assert.equal(watch.tick(1_000, 2), 0, 'it turns');
  assert.equal(watch.tick(2_000, 2), 1_000);
  assert.equal(watch.tick(3_000, 2), 2_000);
  assert.equal(watch.tick(300_000, 2), 3_000, 'the watching thread stood as well');
  assert.equal(watch.tick(301_000, 3), 0);
});
