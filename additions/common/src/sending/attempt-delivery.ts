import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { FetchFault, retryAfterOf, type TrustedFetch } from '@darkroom-service/media';
import { signEvent } from './sign-event.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const GONE = 410;

/** The receiver's answer to one attempt. */
export interface Answered {
  readonly responseStatus: number | null;
  /** The reason of a refusal; null = the receiver accepted the event. */
  readonly error: string | null;
  /** Pause that the receiver asks for (Retry-After), in milliseconds; null = none given. */
  readonly retryAfterMs: number | null;
  /** Whether further attempts cannot succeed. */
  readonly isFinal: boolean;
}

/**
 * Returns the pause in milliseconds before the next attempt: the schedule's, or the receiver's if that is longer, at
 * most a day. Null = no attempt follows.
 * @param attempts number of attempts before the answered one
 */
export function pauseBeforeNext(
  work: Pick<Kernel['work'], 'pause'>,
  { error, retryAfterMs, isFinal }: Answered,
  attempts: number,
  pausesMs: readonly number[],
): number | null {
  const pauseMs = error === null || isFinal ? null : work.pause(attempts, pausesMs);
  return pauseMs === null ? null : Math.max(pauseMs, retryAfterMs ?? 0);
}

/** Signs an event, sends it once and follows no redirect. */
export async function attemptDelivery(
  fetch: TrustedFetch,
  url: string,
  event: {
    readonly id: string;
    readonly timestamp: Date;
    readonly body: string;
    readonly secrets: readonly { readonly secret: string }[];
    /** Headers that the receiver wants beside the signature. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  },
): Promise<Answered> {
  return await postOnce(fetch, url, { ...event, headers: { ...event.headers, ...signEvent(event.secrets, event) } });
}

/** Sends a message once and follows no redirect. */
export async function postOnce(
  fetch: TrustedFetch,
  url: string,
  message: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal?: AbortSignal;
  },
): Promise<Answered> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      ...(message.signal === undefined ? {} : { signal: message.signal }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
    });
    response.body.destroy();
    const { status, headers } = response;
    const taken = status >= 200 && status < 300;
    const isFinal = status === GONE;
    return {
      responseStatus: status,
      error: taken
        ? null
        : `The receiver answered ${isFinal ? '410 (Gone), so no attempt follows' : status}; expected 2xx.`,
      retryAfterMs: retryAfterOf(headers, LONGEST_WAIT_MS),
      isFinal,
    };
  } catch (error) {
    const reason = error instanceof FetchFault ? error.message : 'The receiver could not be reached.';
    return { responseStatus: null, error: reason, retryAfterMs: null, isFinal: false };
  }
}
