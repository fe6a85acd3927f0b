import { ServiceError } from '../base/errors.ts';
import type { Transaction } from '../database/database.ts';
import { ReferenceFault } from '../media/references.ts';
import { StorageError } from '../storage/storage.ts';
import type { Desk } from './desk.ts';
import { uploadKey } from './own-files.ts';
import type { StoredMedia } from './task.ts';

/** A file that lies in storage and has no row yet. */
export interface NewFile {
  readonly id: string;
  readonly sha256: string;
  readonly kind: 'image' | 'video' | 'audio';
  readonly media: StoredMedia;
}

/**
 * Checks bytes by their content and stores them.
 * @param expected the kind that is wanted; null takes any.
 * @throws ServiceError `storage_full`, `service_unavailable`
 */
export async function storeNewFile(
  desk: Desk,
  data: Uint8Array,
  expected: NewFile['kind'] | null,
): Promise<{ readonly ok: true; readonly file: NewFile } | { readonly ok: false; readonly message: string }> {
  const id = desk.createId('file');
  try {
    const collected = await desk.references.collect({ data, kind: expected }, { key: uploadKey(id) });
    const { kind, sha256, fps: _fps, ...media } = collected;
    return { ok: true, file: { id, kind, sha256, media } };
  } catch (error) {
    if (error instanceof ReferenceFault) return { ok: false, message: error.message };
    throw storageFault(error);
  }
}

/**
 * Removes stored files whose row was not written. Where that is not known they stay, as a row without its file would be a broken promise; what
 * no row names is found by the sweep, so that nothing that fails here stands in the way of what the caller is told.
 * @param refusal why the row was not written.
 */
export async function discardFiles(desk: Desk, keys: readonly string[], refusal: unknown): Promise<void> {
  if (refusal instanceof ServiceError && refusal.outcomeUnknown) return;
  const removed = await Promise.allSettled(keys.map((key) => desk.storage.remove(key)));
  for (const one of removed)
    if (one.status === 'rejected') desk.log.warn({ err: one.reason }, 'a file that nobody needs could not be removed');
}

/** Enters a stored file as the key's own. */
export async function insertFile(
  trx: Transaction,
  file: NewFile,
  keyId: string,
  times: { readonly now: number; readonly expiresAt: number },
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('files').values({
      id: file.id,
      api_key_id: keyId,
      storage_key: file.media.key,
      kind: file.kind,
      content_type: file.media.contentType,
      bytes: file.media.bytes,
      width: file.media.width,
      height: file.media.height,
      duration_seconds: file.media.durationSeconds,
      sha256: file.sha256,
      created_at: times.now,
      expires_at: times.expiresAt,
      erased_at: null,
    }),
  );
}

/** What a caller is told when storage cannot take a file. */
export function storageFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if ((error instanceof StorageError && error.kind === 'full') || code === 'ENOSPC') {
    return new ServiceError(
      'storage_full',
      'There is no room for files right now: nothing was taken. Try again later.',
      { retryAfterSeconds: 60, cause: error },
    );
  }
  if (error instanceof StorageError) {
    return new ServiceError(
      'service_unavailable',
      'The file storage cannot be reached right now: nothing was taken. Try again later.',
      { retryAfterSeconds: 10, cause: error },
    );
  }
  return error;
}
