import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Callback } from '../callback.ts';
import { objectOf } from '../upstream/json-object.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

const TOLERANCE_MS = 5 * 60_000;

/** Reads the public keys by which fal signs its callbacks: Ed25519, each as base64url. @throws EngineError */
export async function readFalKeys(files: Upstream, signal: AbortSignal): Promise<string[]> {
  const { body } = await files.call({ url: '/.well-known/jwks.json', signal, signed: true });
  const { keys } = objectOf(body);
  return (Array.isArray(keys) ? keys : []).flatMap((key) => {
    const { x } = objectOf(key);
    return typeof x === 'string' ? [x] : [];
  });
}

/** Tells whether fal signed a callback with the key, at most five minutes ago. */
export function isSignedByFal(key: string, { headers, body }: Callback, now: number): boolean {
  const parts = ['request-id', 'user-id', 'timestamp', 'signature'].map((name) => headers[`x-fal-webhook-${name}`]);
  const [request, user, seconds, signature] = parts;
  if (!parts.every((part) => typeof part === 'string')) return false;
  if (!(Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS)) return false;
  const signed = [request, user, seconds, createHash('sha256').update(body).digest('hex')].join('\n');
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    return verify(null, Buffer.from(signed), publicKey, Buffer.from(String(signature), 'hex'));
  } catch {
    // The key or the signature is malformed.
    return false;
  }
}
