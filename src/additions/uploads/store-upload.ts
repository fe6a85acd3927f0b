import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cutText, type FileView, isoTime, ServiceError } from '@darkroom-service/contract';
import { MediaFault, type Probe, temporaryPath } from '@darkroom-service/media';
import type { Selectable } from 'kysely';
import type { OrderingKey, Schema, TaskServices } from '../../kernel.ts';
import { assertRoomToStore, countStored, isOwn, type Storer, storerOf } from '../../kernel-accounts.ts';
import type { Binding } from '../../kernel-http.ts';
import { discardFiles, eraseFileRow, insertFile, selectFile, storageFault, uploadKey } from '../../kernel-orders.ts';

type FileRow = Selectable<Schema['files']>;

type UploadServices = Pick<
  TaskServices,
  'clock' | 'createId' | 'database' | 'log' | 'media' | 'settings' | 'signer' | 'storage'
>;

/**
 * Stores an uploaded file as a stream, so that its size does not use memory, and checks its content.
 * @throws ServiceError `body_too_large`, `unsupported_media_type`, `invalid_request`, `storage_limit_reached`,
 * `storage_full`, `service_unavailable`
 */
export async function takeUpload(
  services: UploadServices,
  key: OrderingKey,
  source: Readable,
  options: {
    readonly maxBytes: number;
    /** Size that the caller declares; 0 = unknown; null = there may be no room until the file is stored. */
    readonly announcedBytes: number | null;
    /**
     * Called when the file has been read and before it is kept. Returns the end user who owns it; null = the key
     * itself. Throws if the rest of the body is invalid.
     */
    readonly onRead: () => Promise<string | null>;
    /** Stores the file unless an equal request has stored it before; absent = always. */
    readonly once?: (
      content: { readonly sha256: string; readonly endUser: string | null },
      steps: {
        readonly make: (binding?: Binding) => Promise<FileView>;
        readonly again: (fileId: string) => Promise<FileView>;
      },
    ) => Promise<FileView>;
  },
): Promise<FileView> {
  const { storageLimits, temporaryDirectory } = services.settings;
  const storer = storerOf(key);
  if (options.announcedBytes !== null)
    await assertRoomToStore(services.database.read, storer, Math.max(1, options.announcedBytes), storageLimits);
  const path = await temporaryPath(temporaryDirectory).catch(explain);
  try {
    const sha256 = await spool(source, path, options.maxBytes);
    const endUser = await options.onRead();
    const owner = { ...storer, endUser: endUser ?? storer.endUser };
    const make = (binding?: Binding) =>
      storeUpload(services, key, path, owner, { maxBytes: options.maxBytes, binding });
    const again = (fileId: string) => findUpload(services, key, fileId);
    return await (options.once?.({ sha256, endUser }, { make, again }) ?? make());
  } finally {
    await rm(path, { force: true });
  }
}

async function storeUpload(
  services: UploadServices,
  key: OrderingKey,
  path: string,
  storer: Storer,
  options: { readonly maxBytes: number; readonly binding: Binding | undefined },
): Promise<FileView> {
  const { storageLimits } = services.settings;
  await assertRoomToStore(services.database.read, storer, 1, storageLimits);
  const { kind, ...measured } = await probeUpload(services, key, path);
  const id = services.createId('file');
  const stored = await services.storage
    .put(uploadKey(id), createReadStream(path), { contentType: measured.contentType, maxBytes: options.maxBytes })
    .catch(explain);
  const now = services.clock.now();
  const expiresAt = now + services.settings.retentionMs;
  const media = { ...measured, key: stored.key };
  try {
    await services.database.write('take_upload', async (trx) => {
      await options.binding?.within(trx, id);
      await countStored(trx, storer, media.bytes, storageLimits);
      await insertFile(trx, { id, kind, sha256: stored.sha256, media }, storer, { now, expiresAt });
    });
  } catch (error) {
    await discardFiles(services, [stored.key], error);
    throw error;
  }
  return await findUpload(services, key, id);
}

/** Finds an upload of a key. @throws ServiceError `not_found`; `outputs_expired` after its retention time. */
export async function findUpload(
  services: Pick<TaskServices, 'clock' | 'database' | 'signer'>,
  key: OrderingKey,
  fileId: string,
): Promise<FileView> {
  const row = await uploadRow(services, key, fileId);
  const signed = services.signer.sign(row.storage_key);
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
    end_user: row.end_user_sent ?? row.end_user,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}

/** Erases a file. @throws ServiceError as `findUpload` */
export async function deleteUpload(
  services: Pick<TaskServices, 'clock' | 'database' | 'storage'>,
  key: OrderingKey,
  fileId: string,
): Promise<{ readonly file_id: string; readonly deleted_at: string }> {
  const row = await uploadRow(services, key, fileId);
  const now = services.clock.now();
  // The row first: a file without a row is swept later, but a row without its file would break a promise.
  await services.database.write('delete_upload', (trx) => eraseFileRow(trx, { id: fileId, keyId: key.id, now }));
  await services.storage.remove(row.storage_key).catch(explain);
  return { file_id: fileId, deleted_at: isoTime(now) };
}

async function uploadRow(
  services: Pick<TaskServices, 'clock' | 'database'>,
  key: OrderingKey,
  fileId: string,
): Promise<FileRow> {
  const row = await services.database.read.first(selectFile, { id: fileId, key: key.id });
  const expired = row !== undefined && row.expires_at <= services.clock.now();
  if (row === undefined || !isOwn(key, row) || (row.erased_at !== null && !expired)) {
    throw new ServiceError('not_found', `This API key has no file '${cutText(fileId, 64)}'.`, { param: 'file_id' });
  }
  if (expired) {
    throw new ServiceError('outputs_expired', `The file was kept until ${isoTime(row.expires_at)}. Upload it again.`, {
      param: 'file_id',
    });
  }
  return row;
}

/**
 * Reads a body into a file and returns the hash of its bytes. Never destroys the body's stream, since its connection
 * must carry the response.
 */
async function spool(source: Readable, path: string, maxBytes: number): Promise<string> {
  const hash = createHash('sha256');
  const cap = capAt(maxBytes, hash);
  let broken: unknown;
  // The multipart parser emits an error without ending its stream.
  const stopListening = finished(source, { writable: false }, (error) => {
    broken = error;
    if (error) cap.destroy(error);
  });
  try {
    await pipeline(source.pipe(cap), createWriteStream(path, { flags: 'wx' }));
    return hash.digest('hex');
  } catch (error) {
    throw error === broken ? brokenOff(error) : storageFault(error);
  } finally {
    stopListening();
    source.unpipe(cap).resume();
  }
}

function capAt(maxBytes: number, hash: Hash): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      if (bytes <= maxBytes) return done(null, chunk);
      done(new ServiceError('body_too_large', `The file is larger than the maximum of ${maxBytes} bytes.`));
    },
  });
}

async function probeUpload(
  services: Pick<TaskServices, 'media'>,
  { id: owner, mode, client }: OrderingKey,
  path: string,
): Promise<Probe> {
  try {
    return await services.media.probe(path, { owner, mode, ...(client && { endUser: client.endUser }) });
  } catch (error) {
    if (!(error instanceof MediaFault)) throw storageFault(error);
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
  return new ServiceError('invalid_request', 'The body ended before the file was complete.', {
    cause: error,
  });
}
