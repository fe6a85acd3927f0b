import { deleteOnce } from './delete-once.ts';
import { ConnectionError } from './errors.ts';
import type { FileDeletion, UploadedFile } from './generated/interface.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A path or file URL (not in browsers), a Blob or File, bytes, or a stream. */
export type UploadSource = string | URL | Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

export interface UploadOptions extends ChangeOptions {
  /** Your own customer whose file it is: it goes with their erasure. */
  readonly endUser?: string;
}

/** The service accepts a request for five minutes. */
const UPLOAD_TIMEOUT_MS = 310_000;

/** `client.files`: media to name in orders, as `upload:<file_id>`. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Uploads a file. A stream is sent once, because it cannot be read again; anything else is sent again if the answer
   * was lost, and stored once.
   */
  async upload(source: UploadSource, { endUser, ...options }: UploadOptions = {}): Promise<UploadedFile> {
    const isStream = source instanceof ReadableStream;
    const body = isStream ? source : await blobOf(source);
    const again = repeatableCall(options);
    const call = {
      responseTimeoutMs: UPLOAD_TIMEOUT_MS,
      ...again,
      path: endUser === undefined ? '/v1/files' : `/v1/files?${new URLSearchParams({ end_user: endUser })}`,
      body,
      headers: { ...again.headers, 'content-type': 'application/octet-stream' },
      repeatable: !isStream,
    };
    try {
      return (await this.#transport.send<UploadedFile>(call)).data;
    } catch (error) {
      if (!isStream || !(error instanceof ConnectionError)) throw error;
      throw new ConnectionError(
        error.code,
        `${error.message} A stream is sent only once: upload it anew with this key.`,
        call.facts,
        error.cause,
      );
    }
  }

  async get(fileId: string, options: CallOptions = {}): Promise<UploadedFile> {
    return (await this.#transport.send<UploadedFile>({ ...options, path: pathOf(fileId) })).data;
  }

  /** Deletes an uploaded file. A retry after a lost answer succeeds, too. */
  async delete(fileId: string, options: CallOptions = {}): Promise<FileDeletion> {
    const call = { ...options, path: pathOf(fileId) };
    return { file_id: fileId, deleted_at: await deleteOnce(this.#transport, call, 'not_found') };
  }
}

async function blobOf(source: Exclude<UploadSource, ReadableStream>): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return new Blob([source as ArrayBuffer]);
  const { readFileAsBlob } = await import('#local-files');
  return await readFileAsBlob(source);
}

function pathOf(fileId: string): string {
  return `/v1/files/${encodeURIComponent(fileId)}`;
}
