import { lstat, mkdir } from 'node:fs/promises';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

const OTHERS = 0o077;

/**
 * Keeps the code that Node compiles in a directory, so that the next start compiles less. Does nothing if there is a
 * compile cache already, if another user could put code there, or if the directory cannot be created or written.
 * `NODE_COMPILE_CACHE` names another directory, and `NODE_DISABLE_COMPILE_CACHE=1` turns this off.
 * @param directory is created if its parent exists.
 * @returns whether the directory is used
 */
export async function keepCompiled(directory: string): Promise<boolean> {
  if (getCompileCacheDir() !== undefined) return false;
  await mkdir(directory, { mode: 0o700 }).catch(() => {});
  const found = await lstat(directory).catch(() => null);
  if (found?.isDirectory() !== true) return false;
  const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & OTHERS) === 0);
  if (isOwn) enableCompileCache(directory);
  return isOwn;
}

/**
 * Returns the environment variable that lets a child process share this process's compile cache, for children that
 * inherit no other variables. Empty if there is no cache.
 */
export function compileCacheVariable(): { readonly NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir();
  // Node appends a folder for its version, and the child appends it again.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

/**
 * Writes the compile cache to disk. Needed by processes that end by a signal: Node saves the cache only at a normal
 * exit.
 */
export function saveCompiled(): void {
  if (getCompileCacheDir() !== undefined) flushCompileCache();
}
