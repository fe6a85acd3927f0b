import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, windowEnd, windowStart, windowsIn, zoneOffsets } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';

const DAY_MS = 86_400_000;

test('the day and the month of any times, in any order, are those of their own UTC date', () => {
  const midnight = fc.integer({ min: 0, max: 40_000 }).map((day) => day * 86_400_000);
  const time = fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.tuple(midnight, fc.constantFrom(0, 1, 86_399_999)).map(([start, after]) => start + after),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), (times) => {
      for (const at of times) {
        const date = new Date(at).toISOString();
        const { day, month } = daysOf(at);
        assert.equal(new Date(day * 86_400_000).toISOString().slice(0, 10), date.slice(0, 10));
        assert.equal(new Date(Date.UTC(1970, month)).toISOString().slice(0, 7), date.slice(0, 7));
      }
    }),
  );
});

test('the days and months of any zone follow each other without gap or overlap, also where a day has 23 or 25 hours or no midnight', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const moment = fc.tuple(
    fc.constantFrom(...zones),
    fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2035, 0) }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(moment, ([zone, any, atChange]) => {
      // Most days on which clocks change are found by looking for one.
      const change = atChange ? zoneOffsets(zone, any, any + 200 * DAY_MS)[0]?.until : undefined;
      const near =
        change === undefined
          ? [any]
          : [-DAY_MS, -3_600_000, -1, 0, 1, 1_800_000, 3_600_000, DAY_MS].map((ms) => change + ms);
      for (const at of near) {
        const own = windowsIn(zone, at);
        for (const window of ['day', 'month'] as const) {
          const [start, end] = [own[window], own[`${window}End`]];
          assert.ok(start <= at && at < end, `${zone} ${window} ${at}`);
          for (const inside of [start, Math.floor((start + end) / 2), end - 1]) {
            const same = windowsIn(zone, inside);
            assert.deepEqual([same[window], same[`${window}End`]], [start, end], `${zone} ${window} ${at} ${inside}`);
          }
          assert.equal(windowsIn(zone, end)[window], end, `${zone} ${window} ${at}: the next begins with its end`);
        }
        assert.ok(own.month <= own.day && own.dayEnd <= own.monthEnd, `${zone} ${at}`);
      }
    }),
    {
      numRuns: rounds(150),
      examples: [
        [['Pacific/Apia', Date.UTC(2011, 11, 29, 20), true]],
        [['America/St_Johns', Date.UTC(2011, 10, 5), true]],
      ],
    },
  );
});

test('the windows of the zone UTC are those of UTC', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (at) => {
      const own = windowsIn('UTC', at);
      for (const window of ['day', 'month'] as const)
        assert.deepEqual([own[window], own[`${window}End`]], [windowStart(window, at), windowEnd(window, at)]);
    }),
  );
});
