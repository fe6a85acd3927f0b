import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Callback } from '../callback.ts';

const TOLERANCE_MS = 5 * 60_000;

/**
 * Tells whether a callback has a signature of Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, at most five
 * minutes old.
 * @param secret `whsec_` and base64
 */
export function isStandardSigned(secret: string, { headers, body }: Callback, now: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string') return false;
  if (!(Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const found = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && found.length === expected.length && timingSafeEqual(found, expected);
  });
}
