import type { BudgetLimits } from '../../accounts/budgets.ts';

const MEGABYTE = 1024 * 1024;

/** Limits on the use of a process by one API key, or by clients without one, besides money and requests per minute. */
export const BUDGET_LIMITS: BudgetLimits = {
  body_bytes: 64 * MEGABYTE,
  streams: 200,
  waits: 1_000,
  reports: 2,
  examinations: 4,
  anonymous_requests: 256,
  examined_pixels: 2_000_000_000,
  examined_film_seconds: 3_600,
  varied_bytes: 64 * MEGABYTE,
  visitor_bytes: 2 * 1024 * MEGABYTE,
};

/** The part of the budgets and stored bytes of its key that one end user with client tokens gets. */
export const END_USER_PERCENT = 10;

/** Returns the limits of stored bytes: of one key, and of one end user with client tokens. */
export function storageLimitsOf({ DARKROOM_KEY_STORAGE_MB: megabytes }: { readonly DARKROOM_KEY_STORAGE_MB: number }) {
  const key = Math.floor(megabytes * MEGABYTE) || null;
  return { key, endUser: key === null ? null : Math.floor((key * END_USER_PERCENT) / 100) };
}
