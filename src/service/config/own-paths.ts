import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const { R_OK, W_OK, X_OK } = constants;
const DATABASE = ['darkroom.db', 'darkroom.db-wal', 'darkroom.db-shm'];
const DIRECTORIES = ['tmp', 'spool', 'processes', 'files'];
/** Folders whose content later processes also write. */
const SHARED = ['spool', 'files'];
/** Maximum number of reported paths: more of them have the same cause. */
const MOST_TOLD = 5;

/**
 * Finds the existing paths of its data directory that the service may not read or write: most often, a container or a
 * command ran as another user before.
 * @returns a sentence for each, with its path, its owner and the command that mends it
 */
export async function findForeignPaths(dataDirectory: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const own = await faultOf(dataDirectory, dataDirectory);
  if (own !== null) return [own];
  const paths = [...DATABASE, ...DIRECTORIES].map((name) => join(dataDirectory, name));
  for (const name of SHARED) {
    const entries = await readdir(join(dataDirectory, name), { withFileTypes: true }).catch(() => []);
    paths.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => join(dataDirectory, name, entry.name)));
  }
  const faults: string[] = [];
  for (const path of paths) {
    const fault = await faultOf(path, dataDirectory);
    if (fault !== null) faults.push(fault);
    if (faults.length === MOST_TOLD) break;
  }
  return faults;
}

async function faultOf(path: string, dataDirectory: string): Promise<string | null> {
  try {
    const found = await stat(path);
    await access(path, found.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EROFS') return `${path} is on a read-only file system. Mount it so that it can be written`;
    return await describe(path, dataDirectory).catch(() => `${path} cannot be used (${code})`);
  }
}

async function describe(path: string, dataDirectory: string): Promise<string> {
  const user = process.getuid?.();
  const { uid, mode } = await stat(path);
  if (uid !== user)
    return `${path} belongs to user ${uid}, the service runs as ${user}: chown -R ${user} ${dataDirectory}`;
  return `${path} has mode ${(mode & 0o7777).toString(8).padStart(4, '0')}, the service must read and write it: chmod -R u+rwX ${dataDirectory}`;
}
