import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

const FOR_EVERYBODY = '/tmp';

/**
 * Returns the folder for temporary files that a process of another user must reach: the usual one, unless a parent
 * folder is closed to others.
 */
export function openFolder(): string {
  const usual = tmpdir();
  for (let path = usual; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return FOR_EVERYBODY;
    if (path === dirname(path)) return usual;
  }
}
