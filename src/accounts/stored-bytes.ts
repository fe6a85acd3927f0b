import { ServiceError } from '@darkroom-service/contract';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { ApiKey } from './api-key.ts';
import { add, type Meter, usedOf } from './meters.ts';
import { isPartOfKey, scopeId } from './scope.ts';

/**
 * Tracks the bytes of input that each API key has stored: uploads, files of data URIs and fetched references. The sums
 * are updated in the transaction that enters or erases a file. Outputs do not count: paid results are always stored.
 * Each end user of a key has an own sum within that of the key, in a row with the id of key and end user.
 */

/** The owner of a stored file. */
export interface FileOwner {
  readonly keyId: string;
  readonly endUser: string | null;
}

/** The owner of a file with the share that limits its storage. */
export interface Storer extends FileOwner {
  /** Whether a client token sent the file, so that the end user's share limits it too. */
  readonly isClient: boolean;
}

/** Bytes; null = no limit. */
export interface StorageLimits {
  readonly key: number | null;
  /** Bytes of one end user who calls with client tokens. */
  readonly endUser: number | null;
}

/** Returns the storer of a caller's files. */
export function storerOf(key: Pick<ApiKey, 'id' | 'client'>, endUser = key.client?.endUser ?? null): Storer {
  return { keyId: key.id, endUser, isClient: isPartOfKey(key) };
}

/** Returns the stored bytes of a key, or of one of its end users. */
export async function storedBytesOf(session: Session, keyId: string, endUser: string | null = null): Promise<number> {
  return await usedOf(session, bytesOf(keyId, endUser));
}

/** Returns the number of further bytes that may be stored. */
export async function roomToStore(session: Session, storer: Storer, limits: StorageLimits): Promise<number> {
  const room = (await limitsOf(session, storer, limits)).map(({ limit, stored }) => limit - stored);
  return Math.min(Number.MAX_SAFE_INTEGER, ...room);
}

/**
 * Refuses if the key, or its end user, has no room for more. Outside a transaction this is only a first check; the
 * exact check follows when the bytes are counted.
 * @param bytes as far as known; at least 1.
 * @throws ServiceError `storage_limit_reached`
 */
export async function assertRoomToStore(
  session: Session,
  storer: Storer,
  bytes: number,
  limits: StorageLimits,
): Promise<void> {
  for (const { whose, limit, stored } of await limitsOf(session, storer, limits)) {
    if (stored + bytes <= limit) continue;
    if (whose === null)
      throw new ServiceError(
        'storage_limit_reached',
        `The input files of this app have no room for ${bytes} more bytes. Tell its provider.`,
      );
    throw new ServiceError(
      'storage_limit_reached',
      `The input files of ${whose} use ${stored} of ${limit} bytes; ${bytes} more bytes do not fit. Delete files or finished tasks, or wait until they expire.`,
      { details: [{ stored_bytes: stored, limit_bytes: limit, needed_bytes: bytes }] },
    );
  }
}

/** Counts bytes that are entered in this transaction. @throws ServiceError `storage_limit_reached` */
export async function countStored(
  trx: Transaction,
  storer: Storer,
  bytes: number,
  limits: StorageLimits,
): Promise<void> {
  await lockStored(trx, storer.keyId);
  await assertRoomToStore(trx, storer, bytes, limits);
  addTo(trx, storer, bytes);
}

/**
 * Counts bytes that are erased in this transaction. The caller must have called `lockStored` before its first write.
 */
export function countErased(trx: Transaction, owner: FileOwner, bytes: number): void {
  if (bytes > 0) addTo(trx, owner, -bytes);
}

/** Locks a key's stored bytes, and those of its end users, until the transaction ends. */
export async function lockStored(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(`stored:${keyId}`);
}

/** Removes the rows of keys and end users who have no files left. */
export async function dropUnused(database: Database): Promise<void> {
  await database.write('drop_unused', (trx) =>
    trx.run(trx.builder.deleteFrom('meters').where('kind', '=', 'stored_bytes').where('used', '=', 0)),
  );
}

function addTo(trx: Transaction, { keyId, endUser }: FileOwner, bytes: number): void {
  add(trx, bytesOf(keyId, null), bytes);
  if (endUser !== null) add(trx, bytesOf(keyId, endUser), bytes);
}

function bytesOf(keyId: string, endUser: string | null): Meter {
  const subject = endUser === null ? keyId : scopeId(keyId, endUser);
  return { subject, kind: 'stored_bytes', period: 'total' };
}

async function limitsOf(session: Session, { keyId, endUser, isClient }: Storer, limits: StorageLimits) {
  const found: { readonly whose: string | null; readonly limit: number; readonly stored: number }[] = [];
  if (isClient && limits.endUser !== null)
    found.push({
      whose: 'the end user of this client token',
      limit: limits.endUser,
      stored: await storedBytesOf(session, keyId, endUser),
    });
  if (limits.key !== null)
    // A client token must not reveal the storage of others.
    found.push({
      whose: isClient ? null : 'this API key',
      limit: limits.key,
      stored: await storedBytesOf(session, keyId),
    });
  return found;
}
