import { frameTexts } from '../texts/frame.ts';
import { ApiError, OUTCOME_UNKNOWN } from './api-error.ts';

/** Milliseconds after which an answer is considered lost. */
export const ANSWER_MS = 30_000;
/** Codes of 5xx errors after which certainly nothing was done. After any other, the request may have been executed. */
const NOT_TAKEN = ['model_unavailable', 'storage_full', 'shutting_down'];
/** Statuses of errors before the lookup of the Idempotency-Key, which tell nothing about an earlier attempt. */
const BEFORE_LOOKUP = [401, 408, 429];

/**
 * Tells whether an error means that certainly nothing was done.
 * @param isRepeated whether the request was sent before
 */
export function isRefusal(error: unknown, isRepeated: boolean): boolean {
  if (!(error instanceof ApiError) || error.status < 400) return false;
  if (isRepeated) return error.status < 500 && !BEFORE_LOOKUP.includes(error.status);
  return error.status < 500 || NOT_TAKEN.includes(error.code);
}

/** Runs work, and aborts it after a time in milliseconds. */
export async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, milliseconds = ANSWER_MS): Promise<T> {
  const late = new AbortController();
  const reason = new ApiError({ status: 0, code: 'unanswered', message: frameTexts.unreachable, retryable: true });
  const timer = setTimeout(() => late.abort(reason), milliseconds);
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the error of a deed without an answer. */
export function outcomeUnknown(): ApiError {
  return new ApiError({
    status: 0,
    code: OUTCOME_UNKNOWN,
    message: 'It is not known whether this was done. Press again to find out: it is done at most once.',
  });
}
