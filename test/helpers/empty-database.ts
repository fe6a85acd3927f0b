import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts an embedded database with the schema and nothing in it where a test is to open one, so that not every test runs
 * all migrations. Does nothing if a database is there already, or outside of `run-tests.ts`, which makes the original
 * from the present sources.
 */
export async function placeEmptyDatabase(path: string): Promise<void> {
  const original = process.env.DARKROOM_TEST_EMPTY_DATABASE;
  if (original === undefined) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await copyFile(original, path, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
