import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTimeZone, startOfDay, zoneOffsets } from './time-zone.ts';

const at = (text: string) => Date.parse(text);
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

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
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
  ] as const)
    assert.equal(startOfDay(zone, day), at(begin), `${zone} ${day}`);
});

test('a day of any zone begins with its first moment, from 2020 to 2030', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const dateIn = (zone: string) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    return (time: number) => format.format(time);
  };
  const dates = new Map(zones.map((zone) => [zone, dateIn(zone)]));
  const [first, last] = [at('2020-01-01T00:00:00Z'), at('2030-12-31T00:00:00Z')];
  const check = (zone: string, day: string) => {
    const begin = startOfDay(zone, day);
    const date = dates.get(zone) as (time: number) => string;
    assert.equal(date(begin), day, `${zone} ${day}`);
    assert.ok(date(begin - 1) < day, `${zone} ${day}: a moment before belongs to it, too`);
  };
  const monthly = (zone: string) => {
    const hour = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    return Array.from({ length: 132 }, (_, month) => hour.format(Date.UTC(2020, month))).join();
  };
  // The days on which clocks change, of one zone of those that are alike, and others at random.
  for (const zone of new Map(zones.map((zone) => [monthly(zone), zone])).values())
    for (const { until } of zoneOffsets(zone, first, last))
      for (const near of [-1, 0, 1]) check(zone, isoDay(until + near * 86_400_000));
  const days = fc.integer({ min: 0, max: (last - first) / 86_400_000 }).map((n) => isoDay(first + n * 86_400_000));
  fc.assert(fc.property(fc.constantFrom(...zones), days, check), { numRuns: 1_000 });
});

test('only names of the time zone database are time zones', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia']) assert.ok(isTimeZone(name), name);
  for (const name of ['Europe/Atlantis', '', 'Berlin', '../etc']) assert.ok(!isTimeZone(name), name);
});
