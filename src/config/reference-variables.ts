import { type Static, Type } from 'typebox';
import type { PaceLimits } from '../net/pace.ts';

/** Settings for downloads of references, besides DARKROOM_KEY_REFERENCE_FETCHES. */
export const REFERENCE_VARIABLES = {
  DARKROOM_REFERENCE_FETCHES: count('How many references this process downloads at once.', 64),
  DARKROOM_HOST_REFERENCE_FETCHES: count('How many of these come from one host; further ones wait.', 8),
  DARKROOM_REFERENCE_SECONDS: seconds('The time limit for the whole download of one reference, in seconds.', 300),
  DARKROOM_REFERENCE_ANSWER_SECONDS: seconds('The time limit until the host begins its response, in seconds.', 60),
  DARKROOM_REFERENCE_MIN_KB_PER_SECOND: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    expected: 'a number from 0 to 1000000',
    description:
      'The minimum download rate in KB per second, averaged over 20 seconds. Below it the download fails and is retried later.',
    default: 1,
  }),
} as const;

type ReferenceValues = {
  readonly [Name in keyof typeof REFERENCE_VARIABLES]: Static<(typeof REFERENCE_VARIABLES)[Name]>;
};

/** How references of orders are downloaded. */
export interface ReferenceConfig {
  /** Concurrent downloads in this process. */
  readonly downloads: number;
  /** Concurrent downloads from one host. */
  readonly perHost: number;
  /** For the whole download. */
  readonly timeoutMs: number;
  readonly pace: PaceLimits;
}

const SECOND = 1000;
const AVERAGED_OVER_SECONDS = 20;

export function referencesOf(values: ReferenceValues): ReferenceConfig {
  return {
    downloads: values.DARKROOM_REFERENCE_FETCHES,
    perHost: values.DARKROOM_HOST_REFERENCE_FETCHES,
    timeoutMs: values.DARKROOM_REFERENCE_SECONDS * SECOND,
    pace: {
      answerWithinMs: values.DARKROOM_REFERENCE_ANSWER_SECONDS * SECOND,
      minBytes: values.DARKROOM_REFERENCE_MIN_KB_PER_SECOND * 1024 * AVERAGED_OVER_SECONDS,
      perMs: AVERAGED_OVER_SECONDS * SECOND,
    },
  };
}

function count(description: string, fallback: number) {
  return Type.Integer({
    minimum: 1,
    maximum: 10_000,
    expected: 'a whole number from 1 to 10000',
    description,
    default: fallback,
  });
}

function seconds(description: string, fallback: number) {
  return Type.Number({
    minimum: 0.01,
    maximum: 86_400,
    expected: 'a number from 0.01 to 86400',
    description,
    default: fallback,
  });
}
