import { attemptDelivery } from '../events/attempt-delivery.ts';
import type { TrustedFetch } from '../net/trusted-fetch.ts';
import type { AlertData } from './alert-data.ts';

/** A message about an alert, as it is sent. */
export interface OutgoingAlert {
  readonly id: string;
  readonly type: 'alert.began' | 'alert.continues' | 'alert.ended' | 'alert.test';
  readonly data: AlertData;
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** Sends a message once. @returns why the receiver did not accept it; null if it did */
export type SendAlert = (message: OutgoingAlert) => Promise<string | null>;

/** Sends alerts as signed webhooks. */
export function createWebhookAlerts(
  fetch: TrustedFetch,
  /** Each of the secrets, `whsec_…`, signs. */
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
): SendAlert {
  return async ({ id, type, data, now, signal }) => {
    const timestamp = new Date(now);
    const { error } = await attemptDelivery(fetch, url, {
      id,
      timestamp,
      body: JSON.stringify({ type, timestamp: timestamp.toISOString(), data }),
      secrets: secrets.map((secret) => ({ secret })),
      ...(signal === undefined ? {} : { signal }),
    });
    return error;
  };
}
