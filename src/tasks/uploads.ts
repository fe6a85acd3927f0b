import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Selectable } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { MediaFault } from '../media/media-fault.ts';
import { type Probe, probeFile } from '../media/probe.ts';
import type { Desk } from './desk.ts';
import { discardFiles, insertFile, storageFault } from './new-file.ts';
import { uploadKey } from './own-files.ts';

/** A file that a caller has handed in, to be used as `upload:<file_id>` in orders. */
export interface FileView {
  readonly file_id: string;
  readonly url: string;
  readonly url_expires_at: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  readonly sha256: string;
  readonly created_at: string;
  readonly expires_at: string;
}

type FileRow = Selectable<Schema['files']>;

const selectUpload = prepare<{ id: string; key: string }, FileRow>('find_upload', (builder, argument) =>
  builder.selectFrom('files').selectAll().where('id', '=', argument('id')).where('api_key_id', '=', argument('key')),
);

/**
 * Takes a file in as a stream, so that its size does not count in memory, and checks what it is by its content.
 * @throws ServiceError `body_too_large`, `unsupported_media_type`, `invalid_request`, `storage_full`, `service_unavailable`
 */
export async function takeUpload(
  desk: Desk,
  key: OrderingKey,
  source: Readable,
  options: {
    readonly maxBytes: number;
    /** Called when the file has been read, before it is kept: throws where the rest of the body is not as it should be. */
    readonly onRead: () => Promise<void>;
  },
): Promise<FileView> {
  const path = join(desk.settings.temporaryDirectory, `${randomUUID()}.tmp`);
  try {
    await spool(source, path, options.maxBytes);
    await options.onRead();
    const { kind, ...measured } = await probeUpload(path);
    const id = desk.createId('file');
    const stored = await desk.storage
      .put(uploadKey(id), createReadStream(path), { contentType: measured.contentType, maxBytes: options.maxBytes })
      .catch(explain);
    const now = desk.clock.now();
    const expiresAt = now + desk.settings.retentionMs;
    const media = { ...measured, key: stored.key };
    try {
      await desk.database.write('take_upload', (trx) =>
        insertFile(trx, { id, kind, sha256: stored.sha256, media }, key.id, { now, expiresAt }),
      );
    } catch (error) {
      await discardFiles(desk, [stored.key], error);
      throw error;
    }
    return await findUpload(desk, key, id);
  } finally {
    await rm(path, { force: true });
  }
}

/** @throws ServiceError `not_found`; `outputs_expired` once its time was up. */
export async function findUpload(desk: Desk, key: OrderingKey, fileId: string): Promise<FileView> {
  const row = await uploadRow(desk, key, fileId);
  const signed = desk.signer.sign(row.storage_key);
  return {
    file_id: row.id,
    url: signed.url,
    url_expires_at: isoTime(signed.expiresAt),
    content_type: row.content_type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    duration_seconds: row.duration_seconds,
    sha256: row.sha256,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}

/** Erases a file. @throws ServiceError as `findUpload` */
export async function deleteUpload(
  desk: Desk,
  key: OrderingKey,
  fileId: string,
): Promise<{ readonly file_id: string; readonly deleted_at: string }> {
  const row = await uploadRow(desk, key, fileId);
  const now = desk.clock.now();
  // The row first: a file without a row is swept as an orphan, a row without its file would be a broken promise.
  await desk.database.write('delete_upload', (trx) =>
    trx.run(trx.builder.updateTable('files').set({ erased_at: now }).where('id', '=', fileId)),
  );
  await desk.storage.remove(row.storage_key).catch(explain);
  return { file_id: fileId, deleted_at: isoTime(now) };
}

async function uploadRow(desk: Desk, key: OrderingKey, fileId: string): Promise<FileRow> {
  const row = await desk.database.read.first(selectUpload, { id: fileId, key: key.id });
  const expired = row !== undefined && row.expires_at <= desk.clock.now();
  if (row === undefined || (row.erased_at !== null && !expired)) {
    throw new ServiceError('not_found', `This API key has no file '${fileId.slice(0, 64)}'.`, { param: 'file_id' });
  }
  if (expired) {
    throw new ServiceError('outputs_expired', `The file was kept until ${isoTime(row.expires_at)}. Upload it again.`, {
      param: 'file_id',
    });
  }
  return row;
}

/** Reads a body into a file. The body's own stream is never ended, however this goes: its connection has to carry the answer. */
async function spool(source: Readable, path: string, maxBytes: number): Promise<void> {
  const cap = capAt(maxBytes);
  let broken: unknown;
  // The parser of multipart bodies only tells of an error; it does not end its stream with it.
  const stopListening = finished(source, { writable: false }, (error) => {
    broken = error;
    if (error) cap.destroy(error);
  });
  try {
    await pipeline(source.pipe(cap), createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    throw error === broken ? brokenOff(error) : storageFault(error);
  } finally {
    stopListening();
    source.unpipe(cap).resume();
  }
}

function capAt(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return done(null, chunk);
      done(
        new ServiceError('body_too_large', `A file of at most ${maxBytes} bytes is taken here; this one is larger.`),
      );
    },
  });
}

async function probeUpload(path: string): Promise<Probe> {
  try {
    return await probeFile(path);
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error;
    const code = error.kind === 'unsupported' ? 'unsupported_media_type' : 'invalid_request';
    throw new ServiceError(code, `The file cannot be used: ${error.message}.`, { param: 'file', cause: error });
  }
}

function explain(error: unknown): never {
  throw storageFault(error);
}

function brokenOff(error: unknown): unknown {
  const fault = storageFault(error);
  if (fault !== error || error instanceof ServiceError) return fault;
  return new ServiceError('invalid_request', 'The body ended or broke off before the file was complete.', {
    cause: error,
  });
}
