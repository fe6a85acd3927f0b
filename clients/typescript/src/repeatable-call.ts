import type { OrderFacts } from './errors.ts';
import type { Call, CallOptions } from './transport.ts';

/** Options of every call that changes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * The key of the call. Default: a new one per call. Store your own key before the call to repeat it after a crash.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A POST that the service carries out once, however often it is sent. */
export function repeatableCall(
  options: ChangeOptions,
  facts: OrderFacts = {},
): CallOptions & Pick<Call, 'method' | 'facts'> & { readonly headers: { readonly 'idempotency-key': string } } {
  const { idempotencyKey = newIdempotencyKey(), ...rest } = options;
  const headers = { 'idempotency-key': idempotencyKey };
  return { ...rest, method: 'POST', headers, facts: { ...facts, idempotencyKey } };
}

/** Makes a key of 128 random bits. Not randomUUID(), which browsers offer to secure origins only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dkc_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
