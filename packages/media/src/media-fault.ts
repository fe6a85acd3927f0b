import { StorageError } from './storage.ts';

/** Error for a file that cannot be used. The message may be shown to the sender of the file. */
export class MediaFault extends Error {
  /** `too_costly`: reading it takes more memory or processor time than allowed for one file. */
  readonly kind: 'unsupported' | 'too_large' | 'too_costly' | 'corrupt';

  constructor(kind: MediaFault['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MediaFault';
    this.kind = kind;
  }
}

/**
 * Tells whether a file could not be opened because of this machine, so that a retry may succeed; otherwise the file is
 * at fault.
 */
export function isRetryable(error: unknown): boolean {
  return error instanceof StorageError;
}

/** Error when no file can be examined now because of this machine. A retry may succeed. */
export class MediaUnavailable extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('unavailable', message, cause);
    this.name = 'MediaUnavailable';
  }
}
