import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '@darkroom-service/contract';
import { MediaUnavailable, ReferenceFault, StorageError } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import { endUserColumns, type Owner } from '../accounts/scope.ts';
import { countErased, type FileOwner, lockStored } from '../accounts/stored-bytes.ts';
import type { Transaction } from '../database/database.ts';
import type { StoredMedia } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { uploadKey } from './own-files.ts';

/** A file that is in storage and has no row yet. */
export interface NewFile {
  readonly id: string;
  readonly sha256: string;
  readonly kind: 'image' | 'video' | 'audio';
  readonly media: StoredMedia;
}

const PIECES_AHEAD = 2;

/**
 * Checks bytes by their content and stores them. The pieces are read as they are written, so that only a few are in
 * memory.
 * @param expected the required kind; null accepts any.
 * @param examinedBy as in `MediaCall`
 * @throws ServiceError `storage_full`, `service_unavailable`
 */
export async function storeNewFile(
  services: Pick<TaskServices, 'createId' | 'references'>,
  { id: keyId, client }: Owner,
  pieces: Iterable<Uint8Array>,
  expected: NewFile['kind'] | null,
  examinedBy: number,
): Promise<{ readonly ok: true; readonly file: NewFile } | { readonly ok: false; readonly message: string }> {
  const id = services.createId('file');
  const hash = createHash('sha256');
  try {
    const source = { stream: Readable.from(hashed(pieces, hash), { highWaterMark: PIECES_AHEAD }), kind: expected };
    const target = {
      key: uploadKey(id),
      owner: keyId,
      examinedBy,
      digest: () => hash.copy().digest('hex'),
      ...(client && { endUser: client.endUser }),
    };
    const collected = await services.references.collect(source, target);
    const { kind, sha256, fps: _fps, ...media } = collected;
    return { ok: true, file: { id, kind, sha256, media } };
  } catch (error) {
    if (error instanceof ReferenceFault) return { ok: false, message: error.message };
    throw storageFault(error);
  }
}

function* hashed(pieces: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/**
 * Removes stored files whose row was not written. If that is unknown they stay, since a row without its file would
 * break a promise. A later sweep removes files without a row, so a failure here is only logged.
 * @param refusal the reason why the row was not written.
 */
export async function discardFiles(
  services: Pick<TaskServices, 'log' | 'storage'>,
  keys: readonly string[],
  refusal: unknown,
): Promise<void> {
  if (refusal instanceof ServiceError && refusal.outcomeUnknown) return;
  const removed = await Promise.allSettled(keys.map((key) => services.storage.remove(key)));
  for (const one of removed)
    if (one.status === 'rejected') services.log.warn({ err: one.reason }, 'could not remove an unused file');
}

/** Inserts the row of a stored file for the key, or for one end user of it. */
export async function insertFile(
  trx: Transaction,
  file: NewFile,
  owner: FileOwner,
  times: { readonly now: number; readonly expiresAt: number },
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('files').values({
      id: file.id,
      api_key_id: owner.keyId,
      ...endUserColumns(owner.endUser),
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

/** Converts an error of the storage or of this machine to the error that the caller sees. */
export function storageFault(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const code = machineFaultOf(error);
  if ((error instanceof StorageError && error.kind === 'full') || code === 'ENOSPC' || code === 'EDQUOT') {
    return new ServiceError(
      'storage_full',
      'The service has no space for files now; the request had no effect. Retry later.',
      { retryAfterSeconds: 60, cause: error },
    );
  }
  if (error instanceof MediaUnavailable) {
    return new ServiceError(
      'service_unavailable',
      'Files cannot be examined now; the request had no effect. Retry later.',
      {
        retryAfterSeconds: 10,
        cause: error,
      },
    );
  }
  if (error instanceof StorageError || code !== null) {
    return new ServiceError(
      'service_unavailable',
      'The file storage cannot be reached now; the request had no effect. Retry later.',
      { retryAfterSeconds: 10, cause: error },
    );
  }
  return error;
}

/** Marks a file as erased and no longer counts its bytes. Does nothing if it is already erased. */
export async function eraseFileRow(trx: Transaction, file: { id: string; keyId: string; now: number }): Promise<void> {
  await lockStored(trx, file.keyId);
  const { builder } = trx;
  const stored = await trx.first(
    builder.selectFrom('files').select(['bytes', 'end_user']).where('id', '=', file.id).where('erased_at', 'is', null),
  );
  if (stored === undefined) return;
  await trx.run(
    builder
      .updateTable('files')
      .set({ erased_at: file.now, end_user: null, end_user_sent: null })
      .where('id', '=', file.id),
  );
  trx.erases('later');
  countErased(trx, { keyId: file.keyId, endUser: stored.end_user }, stored.bytes);
}
