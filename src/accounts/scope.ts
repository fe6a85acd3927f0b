import { createHash } from 'node:crypto';
import type { ApiKey } from './api-key.ts';
import type { Grant } from './grant.ts';

/** The owner of tasks, files and counters: a key, or the one of its scopes that a grant names. */
export interface Owner extends Pick<ApiKey, 'id'> {
  readonly client?: Pick<Grant, 'endUser' | 'person'>;
}

/** Tells whether the caller gets only a part of its key, as programs of end users do; a person has the whole. */
export function isPartOfKey({ client }: { readonly client?: Pick<Grant, 'person'> }): boolean {
  return client !== undefined && client.person === undefined;
}

/** Names the owner where a key's id alone would mix its scopes: Idempotency-Keys and requests per minute. */
export function ownerId({ id, client }: Owner): string {
  return client === undefined ? id : scopeId(id, client.endUser);
}

/** Names one scope of a key. */
export function scopeId(keyId: string, endUser: string): string {
  return `${keyId}:${scopeDigest(keyId, endUser)}`;
}

/** Returns what stays in place of an end user in an erased task: enough to count its spending, not to name it. */
export function scopeDigest(keyId: string, endUser: string): string {
  return createHash('sha256').update(`${keyId}\n${endUser}`).digest('base64url').slice(0, 32);
}

/** Tells whether a row of the key belongs to the caller. Erased rows have a digest in place of the end user. */
export function isOwn(
  { id, client }: Owner,
  row: { readonly end_user: string | null; readonly erased_end_user?: string | null },
): boolean {
  if (client === undefined || row.end_user === client.endUser) return true;
  return row.erased_end_user != null && row.erased_end_user === scopeDigest(id, client.endUser);
}
