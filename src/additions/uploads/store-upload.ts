import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cutText, type FileView, isoTime, ServiceError } from '@darkroom-service/contract';
import { MediaFault, type Probe, temporaryPath } from '@darkroom-service/media';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import type { Binding } from '../../kernel-http.ts';

type FileRow = NonNullable<Awaited<ReturnType<Kernel['inputs']['find']>>>;
type Storer = ReturnType<Kernel['files']['storer']>;
type UploadKernel = Pick<Kernel, 'accounts' | 'clock' | 'files' | 'inputs' | 'settings' | 'store'>;

/**
 * Stores an uploaded file as a stream, so that its size does not use memory, and checks its content.
 * @throws ServiceError `body_too_large`, `unsupported_media_type`, `invalid_request`, `storage_limit_reached`,
 * `storage_full`, `service_unavailable`
 */
export async function takeUpload(
  kernel: UploadKernel,
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
  const { files, settings } = kernel;
  const storer = files.storer(key);
  if (options.announcedBytes !== null) await files.room(storer, Math.max(1, options.announcedBytes));
  const path = await temporaryPath(settings.temporaryDirectory).catch(explainBy(files));
  try {
    const sha256 = await spool(files, source, path, options.maxBytes);
    const endUser = await options.onRead();
    const owner = { ...storer, endUser: endUser ?? storer.endUser };
    const make = (binding?: Binding) => storeUpload(kernel, key, path, owner, { maxBytes: options.maxBytes, binding });
    const again = (fileId: string) => findUpload(kernel, key, fileId);
    return await (options.once?.({ sha256, endUser }, { make, again }) ?? make());
  } finally {
    await rm(path, { force: true });
  }
}

async function storeUpload(
  kernel: UploadKernel,
  key: OrderingKey,
  path: string,
  storer: Storer,
  options: { readonly maxBytes: number; readonly binding: Binding | undefined },
): Promise<FileView> {
  const { files, inputs, store } = kernel;
  await files.room(storer, 1);
  const { kind, ...measured } = await probeUpload(kernel, key, path);
  const id = store.createId('file');
  const stored = await files.storage
    .put(inputs.storageKey(id), createReadStream(path), {
      contentType: measured.contentType,
      maxBytes: options.maxBytes,
    })
    .catch(explainBy(files));
  const now = kernel.clock.now();
  const expiresAt = now + kernel.settings.retentionMs;
  const media = { ...measured, key: stored.key };
  try {
    await store.write('take_upload', async (trx) => {
      await options.binding?.within(trx, id);
      await files.count(trx, storer, media.bytes);
      await inputs.insert(trx, { id, kind, sha256: stored.sha256, media }, storer, { now, expiresAt });
    });
  } catch (error) {
    await files.discard([stored.key], error);
    throw error;
  }
  return await findUpload(kernel, key, id);
}

/** Finds an upload of a key. @throws ServiceError `not_found`; `outputs_expired` after its retention time. */
export async function findUpload(
  kernel: Pick<Kernel, 'accounts' | 'clock' | 'files' | 'inputs'>,
  key: OrderingKey,
  fileId: string,
): Promise<FileView> {
  const row = await uploadRow(kernel, key, fileId);
  const signed = kernel.files.signer.sign(row.storage_key);
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
  kernel: Pick<Kernel, 'accounts' | 'clock' | 'files' | 'inputs' | 'store'>,
  key: OrderingKey,
  fileId: string,
): Promise<{ readonly file_id: string; readonly deleted_at: string }> {
  const row = await uploadRow(kernel, key, fileId);
  const now = kernel.clock.now();
  // The row first: a file without a row is swept later, but a row without its file would break a promise.
  const { files, inputs, store } = kernel;
  await store.write('delete_upload', (trx) => inputs.erase(trx, { id: fileId, keyId: key.id, now }));
  await files.storage.remove(row.storage_key).catch(explainBy(files));
  return { file_id: fileId, deleted_at: isoTime(now) };
}

async function uploadRow(
  { accounts, clock, inputs }: Pick<Kernel, 'accounts' | 'clock' | 'inputs'>,
  key: OrderingKey,
  fileId: string,
): Promise<FileRow> {
  const row = await inputs.find(key.id, fileId);
  const expired = row !== undefined && row.expires_at <= clock.now();
  if (row === undefined || !accounts.owns(key, row) || (row.erased_at !== null && !expired)) {
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
async function spool(
  files: Pick<Kernel['files'], 'faultOf'>,
  source: Readable,
  path: string,
  maxBytes: number,
): Promise<string> {
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
    throw error === broken ? brokenOff(files, error) : files.faultOf(error);
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
  { files }: Pick<Kernel, 'files'>,
  { id: owner, mode, client }: OrderingKey,
  path: string,
): Promise<Probe> {
  try {
    return await files.media.probe(path, { owner, mode, ...(client && { endUser: client.endUser }) });
  } catch (error) {
    if (!(error instanceof MediaFault)) throw files.faultOf(error);
    const code = error.kind === 'unsupported' ? 'unsupported_media_type' : 'invalid_request';
    throw new ServiceError(code, `The file cannot be used: ${error.message}.`, { param: 'file', cause: error });
  }
}

function explainBy({ faultOf }: Pick<Kernel['files'], 'faultOf'>): (error: unknown) => never {
  return (error) => {
    throw faultOf(error);
  };
}

function brokenOff({ faultOf }: Pick<Kernel['files'], 'faultOf'>, error: unknown): unknown {
  const fault = faultOf(error);
  if (fault !== error || error instanceof ServiceError) return fault;
  return new ServiceError('invalid_request', 'The body ended before the file was complete.', {
    cause: error,
  });
}
