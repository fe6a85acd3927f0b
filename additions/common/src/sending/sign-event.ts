import { Webhook } from 'standardwebhooks';

/**
 * Returns the headers that name and sign an event according to Standard Webhooks, with one signature for each secret.
 * @param event.body the bytes to send, since the signature covers exactly these.
 */
export function signEvent(
  secrets: readonly { readonly secret: string }[],
  event: { readonly id: string; readonly timestamp: Date; readonly body: string },
): Record<string, string> {
  const { id, timestamp, body } = event;
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': secrets.map(({ secret }) => new Webhook(secret).sign(id, timestamp, body)).join(' '),
  };
}
