import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns a path in the directory of a process's temporary files, which is created again if it was removed.
 * @param name the file's name, or its beginning; absent = a new one
 */
export async function temporaryPath(directory: string, name = `${randomUUID()}.tmp`): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return join(directory, name);
}
