import { finished, type Readable, Transform } from 'node:stream';

/**
 * Stores files. A key is a relative path of `[a-z0-9_.-]` segments joined by `/`; the content of a key never changes.
 */
export interface Storage {
  /** Whether `put` first writes a local file, which `onFile` receives. */
  readonly isLocal: boolean;
  /**
   * Stores a stream completely or not at all: a partial object is never visible. The storage's answer is compared with
   * the sent bytes; a difference is an error, and the next attempt takes another key.
   * @param maxBytes a longer stream is cut off, and nothing is stored.
   * @throws StorageError
   */
  put(key: string, source: Readable | Uint8Array, options: PutOptions): Promise<StoredFile>;
  /** Returns null if there is no such object. */
  stat(key: string): Promise<{ readonly bytes: number } | null>;
  /** Opens an object for reading. `range` is inclusive on both ends. @throws StorageError `not_found` */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Returns a presigned URL if the storage serves files itself; null if the service must stream them. */
  address(
    key: string,
    options: { readonly expiresAt: number; readonly contentType: string; readonly fileName: string | null },
  ): Promise<string | null>;
  /**
   * Removes an object with its older versions, as far as this is allowed; does nothing if it does not exist.
   * @throws StorageError, also if the object is still there afterwards
   */
  remove(key: string): Promise<void>;
  /** Tells whether removed objects stay as older versions, since this service may not remove those. */
  keepsVersions(): Promise<boolean>;
  /** Lists the keys below a prefix with the time of their last change (ms). */
  list(
    prefix: string,
    /** Tells whether a folder directly below may be skipped, by the time of its last change. Buckets ignore this. */
    isSkipped?: (folder: string, changedAt: number) => boolean,
  ): AsyncIterable<{ readonly key: string; readonly bytes: number; readonly changedAt: number }>;
  /** Writes, reads back and removes a small object. @throws StorageError */
  check(): Promise<void>;
  /** Tells whether a digest of the bytes proves a put; otherwise only their number does. */
  provesBytes(): Promise<boolean>;
  close(): Promise<void>;
}

export interface PutOptions {
  readonly contentType: string;
  readonly maxBytes: number;
  /** The SHA-256 digest of the whole source in hexadecimal, if it is known: it is not computed again. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
  /**
   * Examines each chunk in order, and the end, before the object is visible. The next chunk waits for a promise of
   * `add`. If a call throws, nothing is stored.
   */
  readonly check?: { add(piece: Uint8Array): void | Promise<void>; end(): unknown };
  /** Function called once all bytes are flushed to a local file, before `put` resolves. */
  readonly onFile?: (file: LocalFile) => void;
}

/** A flushed local file. It is at one of these paths as long as its object is stored or being stored. */
export interface LocalFile extends Omit<StoredFile, 'key'> {
  readonly paths: readonly string[];
}

export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** The digest in hexadecimal. */
  readonly sha256: string;
}

export class StorageError extends Error {
  readonly kind: 'not_found' | 'full' | 'too_large' | 'unavailable';

  constructor(kind: StorageError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StorageError';
    this.kind = kind;
  }
}

/** Passes on the bytes of an object; fails with a StorageError unless exactly the given number arrive. */
export function withLength(source: Readable, key: string, bytes: number): Readable {
  let read = 0;
  const fault = (words: string, cause?: unknown) =>
    new StorageError('unavailable', `reading the object ${key} failed${words}`, cause);
  const passed = new Transform({
    transform(piece: Buffer, _encoding, done) {
      read += piece.byteLength;
      done(null, piece);
    },
    flush: (done) => done(read === bytes ? null : fault(`: expected ${bytes} bytes, found ${read}`)),
  });
  finished(source, (error) => {
    if (error) passed.destroy(error instanceof StorageError ? error : fault('', error));
  });
  passed.once('close', () => source.destroy());
  return source.pipe(passed);
}
