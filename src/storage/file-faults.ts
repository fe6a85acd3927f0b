import { StorageError } from './storage.ts';

/** Runs work on the file system; what it throws becomes a StorageError `full` or `unavailable`. */
export async function fileSystem<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const code = fileFaultCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new StorageError(
        'full',
        'the disk that holds the files is full: free some room or set a shorter retention',
        error,
      );
    }
    throw new StorageError('unavailable', `the directory that holds the files cannot be used: ${code || error}`, error);
  }
}

/** A handler for `catch` that turns the codes named into `undefined` and throws everything else again. */
export function ignore(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(fileFaultCode(error))) throw error;
  };
}

/** `ENOENT` and the like; empty when the error carries no code. */
export function fileFaultCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
