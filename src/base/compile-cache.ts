import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

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
