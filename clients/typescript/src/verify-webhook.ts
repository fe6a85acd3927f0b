import { WebhookError } from './errors.ts';
import type { WebhookEvent } from './generated/interface.ts';

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** `whsec_…`; several during a rotation. */
  readonly secret: string | readonly string[];
  /** How far the time of the webhook may differ from the clock, in seconds. By default five minutes. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; by default the clock. */
  readonly now?: number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook and returns its event.
 * @param body exactly the bytes that were received: a body that was parsed and written again has another signature
 * @throws WebhookError
 */
export async function unwrapWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: UnwrapOptions,
): Promise<WebhookEvent & { readonly id: string }> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw invalid(
      `webhook-timestamp "${timestamp.slice(0, 20)}" is more than ${toleranceSeconds} s away from the clock`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const one of secrets) {
    const key = await importSecret(one);
    for (const signature of signatures) {
      const value = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : null;
      // The platform's own comparison takes the same time for every wrong signature.
      if (value !== null && (await crypto.subtle.verify('HMAC', key, value, signed)))
        return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent), id };
    }
  }
  throw invalid('no signature matches. Pass the body as received, and the secret of the mode (live or test)');
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw invalid('the secret is not whsec_ and Base64');
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(plain).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = typeof found === 'object' && found !== null ? found[0] : found;
  if (value === undefined || value === null || value === '') throw invalid(`the header ${name} is missing`);
  return value;
}

function invalid(reason: string): WebhookError {
  return new WebhookError('invalid_signature', `The webhook was not verified: ${reason}.`);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
