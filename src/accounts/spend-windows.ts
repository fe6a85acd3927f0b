/** The windows of spending: the UTC day, the UTC month, and all time. */
export const SPEND_WINDOWS = ['day', 'month', 'total'] as const;
export type SpendWindow = (typeof SPEND_WINDOWS)[number];

/** Micro-dollars per window; null = no limit. */
export type SpendLimits = { readonly [window in SpendWindow]: number | null };

export const WINDOW_LABEL: Readonly<Record<SpendWindow, string>> = {
  day: 'per day',
  month: 'per month',
  total: 'in total',
};

const DAY_MS = 86_400_000;
/** The windows of the day that was asked for last: nearly every order is of today. */
let latest: { readonly day: number; readonly periods: Readonly<Record<SpendWindow, string>> } | null = null;

/** Names the window that contains a time: `day:2026-11-20`, `month:2026-11` or `total`. */
export function periodOf(window: SpendWindow, time: number): string {
  const day = Math.floor(time / DAY_MS);
  if (latest?.day !== day) latest = { day, periods: periodsOf(time) };
  return latest.periods[window];
}

function periodsOf(time: number): Record<SpendWindow, string> {
  const date = new Date(time).toISOString();
  return { day: `day:${date.slice(0, 10)}`, month: `month:${date.slice(0, 7)}`, total: 'total' };
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
