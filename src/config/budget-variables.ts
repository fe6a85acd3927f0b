import { type Static, Type } from 'typebox';
import type { BudgetLimits } from '../accounts/budgets.ts';

/** Settings that limit how much of a process one API key may use, in addition to money and requests per minute. */
export const BUDGET_VARIABLES = {
  DARKROOM_KEY_BODY_MB: count(
    1,
    65_536,
    'How many MB of request bodies one API key may send to this process at once.',
    64,
  ),
  DARKROOM_KEY_STREAMS: count(1, 100_000, 'How many event streams one API key may have open at once.', 200),
  DARKROOM_KEY_WAITS: count(1, 100_000, 'How many requests of one API key may wait at once (`Prefer: wait`).', 1_000),
  DARKROOM_KEY_REPORTS: count(
    1,
    100,
    'How many usage reports, searches and lists of tags of one API key run at once; further ones wait.',
    2,
  ),
  DARKROOM_KEY_EXAMINATIONS: count(
    1,
    1_000,
    'How many media files of one API key are examined at once (uploads, references); further ones wait.',
    4,
  ),
  DARKROOM_KEY_EXAMINED_MEGAPIXELS: count(
    1,
    1_000_000,
    'How many megapixels of images of one API key are examined per minute.',
    2_000,
  ),
  DARKROOM_KEY_EXAMINED_FILM_SECONDS: count(
    1,
    1_000_000,
    'How many seconds of video and sound of one API key are examined per minute.',
    3_600,
  ),
  DARKROOM_KEY_REFERENCE_FETCHES: count(
    1,
    1_000,
    'How many references of one API key are downloaded at once; further ones wait.',
    8,
  ),
  DARKROOM_ANONYMOUS_REQUESTS: count(
    1,
    100_000,
    'How many requests without an API key (catalog, documentation) may wait at once, for all clients together.',
    256,
  ),
} as const;

/** The part of the limits of its key that one end user with client tokens gets. */
export const END_USER_VARIABLES = {
  DARKROOM_END_USER_PERCENT: count(
    1,
    100,
    "How many percent of its key's limits one end user may use with client tokens: request bodies, open event streams, waiting requests, searches, media examinations, examined pixels and seconds, and stored input files; of what is counted, at least one.",
    10,
  ),
} as const;

type BudgetValues = { readonly [Name in keyof typeof BUDGET_VARIABLES]: Static<(typeof BUDGET_VARIABLES)[Name]> };

const MEGABYTE = 1024 * 1024;

export function budgetLimitsOf(values: BudgetValues): BudgetLimits {
  return {
    body_bytes: values.DARKROOM_KEY_BODY_MB * MEGABYTE,
    streams: values.DARKROOM_KEY_STREAMS,
    waits: values.DARKROOM_KEY_WAITS,
    reports: values.DARKROOM_KEY_REPORTS,
    examinations: values.DARKROOM_KEY_EXAMINATIONS,
    reference_fetches: values.DARKROOM_KEY_REFERENCE_FETCHES,
    anonymous_requests: values.DARKROOM_ANONYMOUS_REQUESTS,
    examined_pixels: values.DARKROOM_KEY_EXAMINED_MEGAPIXELS * 1_000_000,
    examined_film_seconds: values.DARKROOM_KEY_EXAMINED_FILM_SECONDS,
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

function count(minimum: number, maximum: number, description: string, fallback: number) {
  return Type.Integer({
    minimum,
    maximum,
    expected: `a whole number from ${minimum} to ${maximum}`,
    description,
    default: fallback,
  });
}
