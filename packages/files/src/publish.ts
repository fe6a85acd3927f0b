import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileFaultCode } from './fault-code.ts';
import { renameFile } from './file-calls.ts';
import { createFolderFlush } from './flush-folder.ts';

/** Another process may remove a directory that it found empty between our creating it and moving a file in. */
export const ATTEMPTS_TO_MOVE = 20;

/**
 * Returns a function that moves a finished file to its key below `directory`, so that it survives a power failure.
 */
export function createPublisher(directory: string): (aside: string, key: string) => Promise<void> {
  const flush = createFolderFlush(directory);
  return async (aside, key) => {
    const target = join(directory, key);
    for (let attempt = 1; ; attempt++) {
      try {
        await renameFile(aside, target);
        break;
      } catch (error) {
        if (fileFaultCode(error) !== 'ENOENT' || attempt === ATTEMPTS_TO_MOVE) throw error;
        await mkdir(dirname(target), { recursive: true });
      }
    }
    await flush(dirname(key));
  };
}
