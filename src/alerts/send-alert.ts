import { type Answered, attemptDelivery } from '../events/attempt-delivery.ts';
import type { TrustedFetch } from '../net/trusted-fetch.ts';
import type { AlertData } from './alert-data.ts';

/** The operator's receiver of alerts. */
export interface AlertReceiver {
  readonly url: string;
  /** `whsec_…`: each of them signs. */
  readonly secrets: readonly string[];
}

/** Sends one signed message once. */
export async function sendAlert(
  fetch: TrustedFetch,
  { url, secrets }: AlertReceiver,
  message: {
    readonly id: string;
    readonly type: string;
    readonly data: AlertData;
    readonly now: number;
    readonly signal?: AbortSignal;
  },
): Promise<Answered> {
  const { id, type, data, now, signal } = message;
  const timestamp = new Date(now);
  return await attemptDelivery(fetch, url, {
    id,
    timestamp,
    body: JSON.stringify({ type, timestamp: timestamp.toISOString(), data }),
    secrets: secrets.map((secret) => ({ secret })),
    ...(signal === undefined ? {} : { signal }),
  });
}
