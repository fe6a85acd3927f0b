import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns a directory, or its nearest existing parent: the first start makes the rest on the same disk. */
export function nearestDirectory(path: string): string {
  let directory = path;
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  return directory;
}
