import { FetchFault } from '@darkroom-service/media/net/fetch-fault';
import type { TrustedFetch } from '@darkroom-service/media/net/trusted-fetch';
import { signEvent } from './sign-event.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** What the receiver of one attempt said. */
export interface Answered {
  readonly responseStatus: number | null;
  /** Null = the receiver accepted the event. */
  readonly error: string | null;
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
    readonly signal?: AbortSignal;
  },
): Promise<Answered> {
  return await postOnce(fetch, url, { ...event, headers: signEvent(event.secrets, event) });
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
    const taken = response.status >= 200 && response.status < 300;
    return {
      responseStatus: response.status,
      error: taken ? null : `The receiver answered ${response.status}; expected 2xx.`,
    };
  } catch (error) {
    const reason = error instanceof FetchFault ? error.message : 'The receiver could not be reached.';
    return { responseStatus: null, error: reason };
  }
}
