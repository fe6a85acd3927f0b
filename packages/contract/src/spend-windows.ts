/** The windows of spending: the UTC day, the UTC month, and all time. */
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
/** The day and the month of the day that was asked for last: nearly every order is of today. */
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

/** Returns when the window that contains a time began; 0 for all time. */
export function windowStart(window: SpendWindow, time: number): number {
  const date = new Date(time);
  if (window === 'total') return 0;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), window === 'day' ? date.getUTCDate() : 1);
}

/** Returns when the window that contains a time ends and its spending starts again at 0; null = never. */
export function windowEnd(window: SpendWindow, time: number): number | null {
  const date = new Date(time);
  if (window === 'total') return null;
  if (window === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}
