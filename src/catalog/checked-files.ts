import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file in a package that lists the catalog files which were checked when the package was made. A checkout has none.
 */
export const CHECKED_FILES = 'checked-catalog.json';

/**
 * Reads the digests of the catalog files that were checked by this same program version, so that a start need not check
 * them again. A file that was changed since then has another digest.
 */
export async function checkedFiles(): Promise<ReadonlySet<string>> {
  const text = await readFile(join(import.meta.dirname, '..', CHECKED_FILES), 'utf8').catch(() => '[]');
  return new Set(JSON.parse(text) as string[]);
}
