import { StorageError } from '@darkroom-service/media';
import { sentenceOfFault } from '@darkroom-service/media/process';

/** Runs file system work and turns its errors into StorageError `full` or `unavailable`. */
export async function withFileErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const code = fileFaultCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new StorageError(
        'full',
        'the disk that holds the files is full: free some room, for example with darkroom retention apply --days 7',
        error,
      );
    }
    const reason = sentenceOfFault(error) ?? (code || 'its error is in the log');
    throw new StorageError('unavailable', `the directory that holds the files cannot be used: ${reason}`, error);
  }
}

/** Creates a `catch` handler that turns the given error codes into `undefined` and rethrows everything else. */
export function ignore(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(fileFaultCode(error))) throw error;
  };
}

/** Returns an error's code such as `ENOENT`; empty when it has none. */
export function fileFaultCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
