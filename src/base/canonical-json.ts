import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** SHA-256 (hex) of a value's canonical JSON (RFC 8785): equal for bodies that differ only in spacing and order of keys. */
export function fingerprint(value: unknown): string {
  return hash('sha256', canonicalize(value) ?? 'null', 'hex');
}
