import type { PaceLimits } from '@darkroom-service/media/net/pace';
import { type Static, Type } from 'typebox';

/** Settings for downloads of references, besides DARKROOM_KEY_REFERENCE_FETCHES. */
export const REFERENCE_VARIABLES = {
  DARKROOM_REFERENCE_SECONDS: Type.Number({
    minimum: 0.01,
    maximum: 86_400,
    expected: 'a number from 0.01 to 86400',
    description: 'The time limit for the download of one reference. A temporary failure is retried three times.',
    default: 300,
  }),
} as const;

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
const MIN_BYTES_PER_SECOND = 1024;

export function referencesOf(values: {
  readonly DARKROOM_REFERENCE_SECONDS: Static<typeof REFERENCE_VARIABLES.DARKROOM_REFERENCE_SECONDS>;
}): ReferenceConfig {
  return {
    downloads: 64,
    perHost: 8,
    timeoutMs: values.DARKROOM_REFERENCE_SECONDS * SECOND,
    pace: {
      answerWithinMs: 60 * SECOND,
      minBytes: MIN_BYTES_PER_SECOND * AVERAGED_OVER_SECONDS,
      perMs: AVERAGED_OVER_SECONDS * SECOND,
    },
  };
}
