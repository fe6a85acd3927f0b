import { StorageError } from '@darkroom-service/media';
import { sentenceOfFault } from '@darkroom-service/media/process';
import { fileFaultCode } from './fault-code.ts';

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
