import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Proves that a process is alive: an exclusive SQLite lock on a file that belongs to it. The operating system keeps the
 * lock while the process is paused (SIGSTOP) and releases it when the process ends for any reason.
 */
export interface ProcessLock {
  readonly path: string;
  /**
   * Releases the lock and removes its file. May be called repeatedly.
   * @param options.keepsFile leaves the unlocked file, which proves to other processes that this one has ended.
   */
  release(options?: { readonly keepsFile: boolean }): void;
}

/**
 * `held`: the process is alive. `free`: it has ended. `unknown`: the file is absent or unreadable, which proves
 * nothing.
 */
export type LockState = 'held' | 'free' | 'unknown';

const SUFFIX = '.lock';
const ATTEMPTS = 5;
const SQLITE_BUSY = 5;

/** Returns the path of a process's lock file. */
export function processLockPath(directory: string, processId: string): string {
  return join(directory, `${processId}${SUFFIX}`);
}

/**
 * Acquires this process's lock and keeps it until it is released or the process ends.
 * @param processId unique for all time; letters, digits, dots and hyphens, since it becomes a file name.
 * @throws Error when the directory's file system does not support locks.
 */
export function acquireProcessLock(directory: string, processId: string): ProcessLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = processLockPath(directory, processId);
  let cause: unknown;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      closeSync(openSync(path, 'a', 0o600));
      const created = statSync(path).ino;
      const handle = lock(path);
      // Before this process locked the file, another may have found it unlocked and removed it: a lock on a removed
      // file proves nothing.
      if (handle !== null && statSync(path, { throwIfNoEntry: false })?.ino === created) return lockOf(path, handle);
      handle?.close();
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    `The process lock ${path} cannot be taken. Put the data directory on a writable file system that keeps locks.`,
    { cause },
  );
}

/**
 * Acquires the lock of a process that has ended, so that no other process can. Releasing it removes its file.
 * @returns null if the process is alive or its state is unknown.
 */
export function acquireEndedLock(path: string): ProcessLock | null {
  if (!existsSync(path)) return null;
  try {
    const handle = lock(path);
    return handle === null ? null : lockOf(path, handle);
  } catch {
    return null;
  }
}

/**
 * Removes lock files of processes that started before a time and have ended. Work that nobody took over in that time is
 * no longer taken over.
 */
export function removeEndedLocks(directory: string, beganBefore: number): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (!name.endsWith(SUFFIX)) continue;
    const began = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beganBefore;
    if (began < beganBefore) acquireEndedLock(path)?.release();
  }
}

/** Tells whether the process that owns a lock is alive. */
export function lockState(path: string): LockState {
  if (!existsSync(path)) return 'unknown';
  try {
    const handle = lock(path);
    if (handle === null) return 'held';
    handle.close();
    return 'free';
  } catch {
    return 'unknown';
  }
}

/** Locks a file exclusively. @returns null if another connection holds the lock. */
function lock(path: string): DatabaseSync | null {
  const address = pathToFileURL(path);
  // Does not recreate a file that was removed in the meantime.
  address.searchParams.set('mode', 'rw');
  const handle = new DatabaseSync(address);
  try {
    handle.exec('pragma journal_mode = memory; begin exclusive');
    return handle;
  } catch (error) {
    handle.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/** Keeps the handles reachable: garbage collection of a handle would release its lock. */
const handles = new Set<DatabaseSync>();

function lockOf(path: string, handle: DatabaseSync): ProcessLock {
  handles.add(handle);
  return {
    path,
    release({ keepsFile } = { keepsFile: false }) {
      if (!handles.delete(handle)) return;
      const isRemoved = keepsFile || remove(path);
      handle.close();
      // Windows cannot remove a file that is open.
      if (!isRemoved) remove(path);
    },
  };
}

function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}
