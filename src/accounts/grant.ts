import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject, Micros } from '@darkroom-service/contract';

/**
 * Grants let callers other than the holder of a key use a part of its rights: a page in a browser, a person who signed
 * in. Their token contains everything; nothing is stored. It is signed together with the hash of the key's secret, so
 * it becomes invalid with that secret: when the key is revoked, rotated or expired.
 */

/** A person who signed in, as their tokens name them. */
interface PersonGrant {
  /** `psn_…`. The person's orders have it as their end user. */
  readonly id: string;
  /** A role of the addition that signs people in; it determines the calls that the token may make. */
  readonly role: string;
  /** Whether the token may see the whole account, instead of the key's own setting. */
  readonly accountView: boolean;
}

/** A part of a key's rights. */
export interface Grant {
  readonly endUser: string;
  /** The person who owns the token: their role determines its permissions, and the key belongs to them alone. */
  readonly person?: PersonGrant;
  /** Glob patterns, in addition to those of the key; empty = every model of the key, one empty pattern = none. */
  readonly models: readonly string[];
  /** Fields of additions that limit every order of the token, beside those of the order. */
  readonly fields?: JsonObject;
  /** Micro-dollars of one order; null = no limit. */
  readonly maxPrice: Micros | null;
  /** Creates per minute of the end user; 0 = no limit. */
  readonly createsPerMinute: number;
  /** Origins whose pages may use it; empty = all, one empty text = none. */
  readonly origins: readonly string[];
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

export interface OpenedGrant {
  readonly keyId: string;
  readonly grant: Grant;
  /** Tells whether the token was issued with the secret that has this hash. */
  readonly isSignedWith: (keyHash: string, secret: string) => boolean;
}

const PREFIX = 'dk_client_';
const SHAPE = /^dk_client_(?:[0-9a-z]{1,4}\.)?([\w-]{1,12000})\.([\w-]{43})$/;

/** Tells whether a text looks like a client token, by its prefix. */
export function isGrant(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Writes and signs the token of a grant. @param issuer.cell begins the token, for proxies; null = none */
export function writeGrant(
  { id, hash, cell }: { readonly id: string; readonly hash: string; readonly cell: string | null },
  grant: Grant,
  secret: string,
): string {
  const payload = Buffer.from(JSON.stringify({ keyId: id, grant })).toString('base64url');
  return `${PREFIX}${cell === null ? '' : `${cell}.`}${payload}.${sign(payload, hash, secret)}`;
}

/** Parses a token without verifying its signature. Returns null if the format differs. */
export function readGrant(text: string): OpenedGrant | null {
  const [, payload = '', signature = ''] = SHAPE.exec(text) ?? [];
  const content = parse(payload);
  if (content === null) return null;
  return {
    ...content,
    isSignedWith(keyHash, secret) {
      const expected = Buffer.from(sign(payload, keyHash, secret));
      const found = Buffer.from(signature);
      return expected.length === found.length && timingSafeEqual(expected, found);
    },
  };
}

function sign(payload: string, keyHash: string, secret: string): string {
  return createHmac('sha256', secret).update(`${payload}\n${keyHash}`).digest('base64url');
}

/** Only this service signs tokens, so the grant of a well-signed one has the right type. */
function parse(payload: string): Pick<OpenedGrant, 'keyId' | 'grant'> | null {
  try {
    const { keyId, grant } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof keyId === 'string' && typeof grant?.endUser === 'string' ? { keyId, grant } : null;
  } catch {
    return null;
  }
}
