import type { BudgetLimits } from '../../accounts/budgets.ts';
import { integer, type ValuesOf } from './variable-types.ts';

/** Settings that limit how much of a process one API key may use, in addition to money and requests per minute. */
export const BUDGET_VARIABLES = {
  DARKROOM_KEY_STREAMS: integer(1, 100_000, 'Open event streams.', 200),
} as const;

/** The part of the limits of its key that one end user with client tokens gets. */
export const END_USER_VARIABLES = {
  DARKROOM_END_USER_PERCENT: integer(
    1,
    100,
    "The percentage of its key's budgets and stored input files that one end user with client tokens gets, at least one of what is counted.",
    10,
  ),
} as const;

const MEGABYTE = 1024 * 1024;

export function budgetLimitsOf(values: ValuesOf<typeof BUDGET_VARIABLES>): BudgetLimits {
  return {
    body_bytes: 64 * MEGABYTE,
    streams: values.DARKROOM_KEY_STREAMS,
    waits: 1_000,
    reports: 2,
    examinations: 4,
    anonymous_requests: 256,
    examined_pixels: 2_000_000_000,
    examined_film_seconds: 3_600,
  };
}

/** The limits of stored bytes: of one key, and of one end user with client tokens. */
export function storageLimitsOf({
  DARKROOM_KEY_STORAGE_MB: megabytes,
  DARKROOM_END_USER_PERCENT: percent,
}: {
  readonly DARKROOM_KEY_STORAGE_MB: number;
  readonly DARKROOM_END_USER_PERCENT: number;
}) {
  const key = Math.floor(megabytes * MEGABYTE) || null;
  return { key, endUser: key === null ? null : Math.floor((key * percent) / 100) };
}
