import { hash } from 'node:crypto';
import { canonicalName } from '@darkroom-service/contract';

/**
 * Returns the digests of other spellings of a name. Before spellings were unified, they named orders and erasures whose
 * names are erased: the migration could not find these.
 * @param ownerId the key of the orders, or the account of the erasures
 */
export function earlierDigests(ownerId: string, endUser: string): string[] {
  const spellings = new Set([endUser, endUser.normalize('NFD')]);
  spellings.delete(canonicalName(endUser));
  return [...spellings].map((spelling) => hash('sha256', `${ownerId}\n${spelling}`, 'base64url').slice(0, 32));
}
