import { startOfDay, zoneOffsets } from './time-zone.ts';

/** The windows of spending: the day, the month, both of UTC unless a time zone is named, and all time. */
export const SPEND_WINDOWS = ['day', 'month', 'total'] as const;
/** The name of a window of spending. */
export type SpendWindow = (typeof SPEND_WINDOWS)[number];

/** Micro-dollars per window; null = no limit. */
export type SpendLimits = { readonly [window in SpendWindow]: number | null };

export const WINDOW_LABEL: Readonly<Record<SpendWindow, string>> = {
  day: 'per day',
  month: 'per month',
  total: 'in total',
};

const DAY_MS = 86_400_000;
/** The last day that was requested, and its month: nearly every order is of today. */
let latest = { day: -1, month: -1 };

/** Counts the UTC days and months from 1970 to a time. */
export function daysOf(time: number): { readonly day: number; readonly month: number } {
  const day = Math.floor(time / DAY_MS);
  if (latest.day !== day) {
    const date = new Date(time);
    latest = { day, month: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() };
  }
  return latest;
}

/** The day and the month of a time zone that contain a time. Times are milliseconds since 1970. */
export interface WindowsIn {
  readonly zone: string;
  /** The date of the day. */
  readonly date: string;
  readonly day: number;
  readonly dayEnd: number;
  readonly month: number;
  readonly monthEnd: number;
}

const MOST_ZONES = 1_000;
/** The windows last requested for each zone. */
const known = new Map<string, WindowsIn>();

/** Returns the windows of a zone that contain a time: the latest day that has begun, and the month of its date. */
export function windowsIn(zone: string, time: number): WindowsIn {
  const last = known.get(zone);
  if (last !== undefined && last.day <= time && time < last.dayEnd) return last;
  const aheadMs = zoneOffsets(zone, time, time + 1)[0]?.aheadMs ?? 0;
  const local = new Date(time + aheadMs);
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  // Clocks that are set back across midnight show the end of a day again.
  const next = [1, 2].map((after) => dateOf(year, month, day + after));
  const isNext = startOfDay(zone, next[0]!) <= time;
  const [date, tomorrow] = isNext ? [next[0]!, next[1]!] : [dateOf(year, month, day), next[0]!];
  const [ofYear = 0, ofMonth = 0] = date.split('-').map(Number);
  const windows = {
    zone,
    date,
    day: startOfDay(zone, date),
    dayEnd: startOfDay(zone, tomorrow),
    month: startOfDay(zone, dateOf(ofYear, ofMonth - 1, 1)),
    monthEnd: startOfDay(zone, dateOf(ofYear, ofMonth, 1)),
  };
  if (known.size >= MOST_ZONES) known.clear();
  known.set(zone, windows);
  return windows;
}

function dateOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** Returns when the window that contains a time began; 0 for all time. */
export function windowStart(window: SpendWindow, time: number, zone = 'UTC'): number {
  if (window === 'total') return 0;
  if (zone !== 'UTC') return windowsIn(zone, time)[window];
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), window === 'day' ? date.getUTCDate() : 1);
}

/** Returns when the window that contains a time ends and its spending starts again at 0; null = never. */
export function windowEnd(window: SpendWindow, time: number, zone = 'UTC'): number | null {
  if (window === 'total') return null;
  if (zone !== 'UTC') return windowsIn(zone, time)[`${window}End`];
  const date = new Date(time);
  if (window === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}
