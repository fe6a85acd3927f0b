import { dirname, join } from 'node:path';
import { ignore } from './fault-code.ts';
import { closeFile, flushFile, openFile, statFile } from './file-calls.ts';

/** Maximum number of directories remembered as flushed in their parent. */
const MOST_KNOWN = 1_000;

/**
 * Returns a function that flushes a folder below `directory`, so that the entries in it survive a power failure. Calls
 * for one folder at the same time share its flush.
 */
export function createFolderFlush(directory: string): (folder: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  /** The identity of each directory: another process may remove a directory and create it again. */
  const known = new Map<string, string>();

  /** Joins a flush that has not begun, since one that has may miss the newest entry; else begins one. */
  function flush(folder: string): Promise<void> {
    const joined = waiting.get(folder);
    if (joined !== undefined) return joined;
    const own = (running.get(folder) ?? Promise.resolve()).then(begin, begin);
    waiting.set(folder, own);
    return own;

    function begin(): Promise<void> {
      waiting.delete(folder);
      const flushing = flushWithParents(folder).finally(() => {
        if (running.get(folder) === flushing) running.delete(folder);
      });
      running.set(folder, flushing);
      return flushing;
    }
  }

  /** Flushes a directory and its parents: it survives a power failure only once its parent is flushed too. */
  async function flushWithParents(folder: string): Promise<void> {
    const identity = await flushOne(join(directory, folder));
    if (folder === '.' || known.get(folder) === identity) return;
    await flush(dirname(folder));
    if (known.size >= MOST_KNOWN) known.clear();
    if (identity !== null) known.set(folder, identity);
  }

  return flush;
}

/** Flushes a directory. @returns the directory's identity; null if it is gone, or need not be flushed */
async function flushOne(path: string): Promise<string | null> {
  // Windows cannot open a directory and flushes its entries itself.
  if (process.platform === 'win32') return null;
  const file = await openFile(path, 'r').catch(ignore('ENOENT'));
  if (file === undefined) return null;
  try {
    await flushFile(file);
    const { ino, birthtimeMs } = await statFile(file);
    return `${ino} ${birthtimeMs}`;
  } finally {
    await closeFile(file);
  }
}
