import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sixteen digits that stand for the names and contents of files. */
export function digestOfFiles(folder: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(`${path}\n`).update(readFileSync(join(folder, path)));
  return hash.digest('hex').slice(0, 16);
}
