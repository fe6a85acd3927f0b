import { ServiceError } from '@darkroom-service/contract';

/**
 * Turns the error of a full or unavailable disk into an answer. SQLite's result codes: 13 full, 10 I/O, 5 busy, 6
 * locked, 8 read-only, 14 cannot open.
 */
export function translateFault(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  const primary = code & 0xff;
  if (primary === 13)
    return new ServiceError(
      'storage_full',
      'The service cannot store anything now; the request had no effect. Retry later.',
      {
        retryAfterSeconds: 30,
        cause: error,
      },
    );
  if ([5, 6, 8, 10, 14].includes(primary)) {
    return new ServiceError(
      'service_unavailable',
      'The database is not available now; the request had no effect. Retry later.',
      { retryAfterSeconds: 5, cause: error },
    );
  }
  return error;
}

/** Tells whether SQLite found the file locked by another connection. */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;
}

/** Turns the error for a file that another process has locked too long into advice; other errors stay as they are. */
export function translateOpening(error: unknown, path: string, waitedMs: number): unknown {
  if (!isBusy(error)) return error;
  const message = `Another process has held the lock of the database ${path} for more than ${waitedMs / 1000} seconds, so it cannot be opened. Look for a process that uses this file and stands still (such as one that is paused), continue or end it, and try again.`;
  return new Error(message, { cause: error });
}
