import { cutText } from './clean-text.ts';
import type { Fault } from './errors.ts';

/** A period in which a time zone has one offset from UTC. Times are milliseconds since 1970. */
interface ZoneOffset {
  /** The end of the period. */
  readonly until: number;
  /** The time that the zone's clocks are ahead of UTC, in milliseconds. */
  readonly aheadMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Upper bound of a zone's offset from UTC, ahead or behind. */
const FARTHEST_AHEAD_MS = 16 * HOUR_MS;

/** Tells whether the IANA time zone database has a name, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the fault of a parameter that names no time zone. */
export function unknownTimeZone(param: string, name: string): Fault {
  const message = `'${param}' must be the name of a time zone such as Europe/Berlin or UTC; found '${cutText(name, 64)}'.`;
  return { param, code: 'invalid_request', message };
}

/** Returns the offsets of a zone from `from` to `to`, one for each change of its clocks. */
export function zoneOffsets(zone: string, from: number, to: number): ZoneOffset[] {
  const aheadAt = createAhead(zone);
  const offsets: ZoneOffset[] = [];
  let [start, aheadMs] = [from, aheadAt(from)];
  while (start < to) {
    const next = Math.min(start + DAY_MS, to);
    if (aheadAt(next) !== aheadMs) {
      offsets.push({ until: changeBetween(aheadAt, start, next), aheadMs });
      aheadMs = aheadAt(next);
    }
    start = next;
  }
  return [...offsets, { until: to, aheadMs }];
}

/**
 * Returns the first moment of a day, such as `2026-11-25`, in a zone, in milliseconds since 1970. A day without
 * midnight begins when its clocks have jumped; a day that the zone skips begins with the next one.
 */
export function startOfDay(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let start = midnight - FARTHEST_AHEAD_MS;
  for (const { until, aheadMs } of zoneOffsets(zone, start, midnight + FARTHEST_AHEAD_MS)) {
    const first = Math.max(start, midnight - aheadMs);
    if (first < until) return first;
    start = until;
  }
  return start;
}

function createAhead(zone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
  };
}

/** Clocks change on whole minutes. */
function changeBetween(aheadAt: (time: number) => number, start: number, end: number): number {
  const before = aheadAt(start);
  let [low, high] = [Math.floor(start / 60_000), Math.ceil(end / 60_000)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (aheadAt(middle * 60_000) === before) low = middle;
    else high = middle;
  }
  return high * 60_000;
}
