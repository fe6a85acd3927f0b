import { hash } from 'node:crypto';

/** The scope of the hashes of Idempotency-Keys whose orders are removed. */
export const EXPIRED = 'expired';

/** Subject of an expired Idempotency-Key whose order was erased instead of removed by age. */
export const ERASED = 'erased';

/** Returns the scope and the key under which a hash of an Idempotency-Key stays once its order is removed. */
export function expiredKey({ scope, key }: { readonly scope: string; readonly key: string }) {
  return { scope: EXPIRED, key: hash('sha256', `${scope}\n${key}`, 'base64url') };
}
