import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, startOfDay, zoneOffsets } from './time-zone.ts';

const at = (text: string) => Date.parse(text);

test('a zone has one offset for each change of its clocks', () => {
  const [from, to] = [at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z')];
  assert.deepEqual(zoneOffsets('Europe/Berlin', from, to), [
    { until: at('2026-03-29T01:00:00Z'), aheadMs: 3_600_000 },
    { until: at('2026-10-25T01:00:00Z'), aheadMs: 7_200_000 },
    { until: to, aheadMs: 3_600_000 },
  ]);
  assert.deepEqual(zoneOffsets('Asia/Kathmandu', from, to), [{ until: to, aheadMs: 20_700_000 }]);
  assert.deepEqual(zoneOffsets('UTC', from, from + 1), [{ until: from + 1, aheadMs: 0 }]);
  assert.equal(zoneOffsets('America/New_York', from, to)[0]?.until, at('2026-03-08T07:00:00Z'));
});

test('a day begins when the clocks of the zone say so, also where they change on it', () => {
  for (const [zone, day, begin] of [
    ['Europe/Berlin', '2026-11-25', '2026-11-24T23:00:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00Z'],
    ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00Z'],
    ['Pacific/Auckland', '2026-06-01', '2026-05-31T12:00:00Z'],
    ['UTC', '2026-11-25', '2026-11-25T00:00:00Z'],
  ] as const)
    assert.equal(startOfDay(zone, day), at(begin), `${zone} ${day}`);
});

test('only names of the time zone database are time zones', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia']) assert.ok(isTimeZone(name), name);
  for (const name of ['Europe/Atlantis', '', 'Berlin', '../etc']) assert.ok(!isTimeZone(name), name);
});
