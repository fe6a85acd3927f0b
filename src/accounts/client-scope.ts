import type { ApiKey } from './api-key.ts';
import type { ClientGrant } from './client-token.ts';
import { digestOfEndUser } from './end-user-spending.ts';

/** The owner of tasks, files and counters: a key, or with a client token one end user of it. */
export interface Owner extends Pick<ApiKey, 'id'> {
  readonly client?: Pick<ClientGrant, 'endUser' | 'person'>;
}

/** Tells whether the caller is the program of an end user, which gets a part of its key; a person has the whole. */
export function isEndUser({ client }: { readonly client?: Pick<ClientGrant, 'person'> }): boolean {
  return client !== undefined && client.person === undefined;
}

/** Names the owner where a key's id alone would mix its end users: Idempotency-Keys and requests per minute. */
export function ownerId({ id, client }: Owner): string {
  return client === undefined ? id : idOfEndUser(id, client.endUser);
}

/** Names one end user of a key. */
export function idOfEndUser(keyId: string, endUser: string): string {
  return `${keyId}:${digestOfEndUser(keyId, endUser)}`;
}

/** Tells whether a row of the key belongs to the caller. Erased rows have a digest in place of the end user. */
export function isOwn(
  { id, client }: Owner,
  row: { readonly end_user: string | null; readonly erased_end_user?: string | null },
): boolean {
  if (client === undefined || row.end_user === client.endUser) return true;
  return row.erased_end_user != null && row.erased_end_user === digestOfEndUser(id, client.endUser);
}
