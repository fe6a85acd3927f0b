import type { Readable } from 'node:stream';

/** Where files lie. A key is a relative path of `[a-z0-9_.-]` segments joined by `/`; what lies under one key never changes. */
export interface Storage {
  /**
   * Stores a stream whole or not at all: a half-written object is never visible.
   * @param maxBytes the stream is cut off and nothing stays behind when it is longer.
   * @throws StorageError
   */
  put(key: string, source: Readable | Uint8Array, options: PutOptions): Promise<StoredFile>;
  /** Null when there is no such object. */
  stat(key: string): Promise<{ readonly bytes: number } | null>;
  /** `range` is inclusive on both ends. @throws StorageError `not_found` */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** A presigned address where the storage serves files itself; null where we stream them. */
  address(
    key: string,
    options: { readonly expiresAt: number; readonly contentType: string; readonly fileName: string | null },
  ): Promise<string | null>;
  /** Removing what is not there is no fault. */
  remove(key: string): Promise<void>;
  /** Keys below a prefix, with the time of their last change (ms), for the sweep of orphans. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number; readonly changedAt: number }>;
  /** Writes, reads back and removes a small object. @throws StorageError */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface PutOptions {
  readonly contentType: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** Hex. */
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
