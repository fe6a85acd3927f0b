import { createHash } from 'node:crypto';
import { canonicalName } from '@darkroom-service/contract';
import type { ApiKey } from './api-key.ts';
import type { Grant } from './grant.ts';

/** Tells whether a value is the name of an end user, in any spelling. */
export function isSameName(value: unknown, endUser: string): boolean {
  return typeof value === 'string' && canonicalName(value) === canonicalName(endUser);
}

/** The columns of a row that belongs to an end user. */
export function endUserColumns(sent: string | null): { end_user: string | null; end_user_sent: string | null } {
  const endUser = sent === null ? null : canonicalName(sent);
  return { end_user: endUser, end_user_sent: endUser === sent ? null : sent };
}

/** The owner of tasks, files and counters: a key, or the one of its scopes that a grant names. */
export interface Owner extends Pick<ApiKey, 'id'> {
  readonly client?: Pick<Grant, 'endUser' | 'person'>;
}

/** Tells whether the caller may use only a part of its key, as end users' programs do; a person may use all of it. */
export function isPartOfKey({ client }: { readonly client?: Pick<Grant, 'person'> }): boolean {
  return client !== undefined && client.person === undefined;
}

/** Returns the owner's id for Idempotency-Keys and requests per minute, where a key's id alone would mix its scopes. */
export function ownerId({ id, client }: Owner): string {
  return client === undefined ? id : scopeId(id, client.endUser);
}

/** Returns the id of one scope of a key. */
export function scopeId(keyId: string, endUser: string): string {
  return `${keyId}:${scopeDigest(keyId, endUser)}`;
}

/** Returns the digest of a key and end user in its orders: it suffices to count spending after the name is erased. */
export function scopeDigest(keyId: string, endUser: string): string {
  const name = canonicalName(endUser);
  return createHash('sha256').update(`${keyId}\n${name}`).digest('base64url').slice(0, 32);
}

/** Tells whether an order or a file of the key belongs to the caller. An order keeps its scope when it is erased. */
export function isOwn(
  { id, client }: Owner,
  row: { readonly scope: string | null } | { readonly end_user: string | null },
): boolean {
  if (client === undefined) return true;
  return 'scope' in row
    ? row.scope === scopeDigest(id, client.endUser)
    : row.end_user === canonicalName(client.endUser);
}
