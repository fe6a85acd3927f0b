import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file or directory that other users of this machine can read or change. */
interface OpenPath {
  readonly path: string;
  /** As given to `chmod`, for example `0755`. */
  readonly mode: string;
  readonly readers: 'everyone' | 'its group';
  /** The shell command that makes it private. */
  readonly command: string;
}

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;
const STICKY = 0o1000;
const SETGID = 0o2000;
/** Entries that the service, a backup or a file system creates in a data directory. */
const OWN_ENTRIES =
  /^(darkroom\.db.*|files|tmp|spool|processes|compiled|catalog|local|first-keys\.txt.*|lost\+found|\..*)$/;

/**
 * Removes all permissions of others from a file or directory, if it exists and this user may do so; those of its group
 * too, unless the directory has the setgid bit: then it was given to that group.
 * @param directory the data or backup directory that the path is in; default: the path itself
 * @returns the path if it is still open to others; else null. Always null on Windows, which has no such permissions.
 */
export async function makePrivate(path: string, directory = path): Promise<OpenPath | null> {
  if (process.platform === 'win32') return null;
  const closed = await closedIn(directory);
  const before = await modeOf(path);
  if (before === null || (before & closed) === 0) return null;
  // If another user owns it, or the file system has no permissions, it stays as it is and is reported.
  await chmod(path, before & ~closed).catch(() => null);
  return openPath(path, await modeOf(path), closed);
}

/**
 * Makes a data directory and its contents private. A directory shared with other programs keeps its mode, since
 * changing it would lock them out; the database and the files in it become private in any case.
 * @returns the paths that are still open to others.
 */
export async function makeDataPrivate(data: {
  readonly directory: string;
  readonly databasePath: string;
  readonly filesDirectory: string;
}): Promise<OpenPath[]> {
  if (process.platform === 'win32') return [];
  const { directory, databasePath, filesDirectory } = data;
  const isShared = await isSharedDirectory(directory);
  const found = [
    isShared ? openPath(directory, await modeOf(directory), await closedIn(directory)) : await makePrivate(directory),
  ];
  for (const path of [databasePath, `${databasePath}-wal`, `${databasePath}-shm`, filesDirectory]) {
    found.push(await makePrivate(path, directory));
  }
  return found.filter((one) => one !== null);
}

/** Describes an open path in one sentence, for a log or a terminal. */
export function describeOpenPath({ path, mode, readers, command }: OpenPath): string {
  return `${path} has mode ${mode}, so ${readers} can open it. Close it with: ${command}`;
}

async function isSharedDirectory(directory: string): Promise<boolean> {
  if (((await modeOf(directory)) ?? 0) & STICKY) return true;
  const names = await readdir(directory).catch(() => []);
  return names.some((name) => !OWN_ENTRIES.test(name));
}

/** Returns the permissions that are removed in a directory. */
async function closedIn(directory: string): Promise<number> {
  return (((await modeOf(directory)) ?? 0) & SETGID) === 0 ? GROUP_AND_OTHERS : OTHERS;
}

async function modeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.mode ?? null;
}

function openPath(path: string, mode: number | null, closed: number): OpenPath | null {
  if (mode === null || (mode & closed) === 0) return null;
  return {
    path,
    mode: (mode & 0o7777).toString(8).padStart(4, '0'),
    readers: (mode & OTHERS) === 0 ? 'its group' : 'everyone',
    command: `chmod ${closed === OTHERS ? 'o' : 'go'}-rwx ${join(path)}`,
  };
}
