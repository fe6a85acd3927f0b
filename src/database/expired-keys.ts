import { hash } from 'node:crypto';

/** The scope of the hashes of Idempotency-Keys whose orders are removed. */
export const EXPIRED = 'expired';

/** In place of what such a key made, if it was erased; else its age has removed it. */
export const ERASED = 'erased';

/** Returns the scope and the key under which a hash of an Idempotency-Key stays once its order is removed. */
export function expiredKey({ scope, key }: { readonly scope: string; readonly key: string }) {
  return { scope: EXPIRED, key: hash('sha256', `${scope}\n${key}`, 'base64url') };
}
