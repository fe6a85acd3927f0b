import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LocalFault } from './local-fault.ts';
import type { LocalStore } from './store.ts';
import { unzip } from './unzip.ts';

const PROGRAMS = ['sd-server', 'sd-server.exe'];

/**
 * Unpacks an engine's build once. The build has all of its archives, or does not exist.
 * @param archives digests of the archives, first that of the archive with the program. The others are unpacked beside
 * it, since programs of Windows look for libraries there.
 * @returns the path of its server program
 * @throws LocalFault
 */
export async function installBuild(store: LocalStore, archives: readonly string[]): Promise<string> {
  const parent = join(store.directory, 'engines');
  const directory = join(parent, directoryName(archives));
  if (!(await isDirectory(directory))) {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const unpacked = await mkdtemp(join(parent, 'new-'));
    try {
      const [first = '', ...further] = archives.map(store.blobPath);
      await unzip(first, unpacked);
      for (const archive of further) await unzip(archive, dirname(await findProgram(unpacked)));
      await rename(unpacked, directory);
    } catch (error) {
      await rm(unpacked, { recursive: true, force: true });
      // Another process may have been faster.
      if (!(await isDirectory(directory))) throw error;
    }
  }
  return await findProgram(directory);
}

async function findProgram(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true });
  const found = names.find((name) => PROGRAMS.includes(name.split(/[\\/]/).at(-1) ?? ''));
  if (found !== undefined) return join(directory, found);
  throw new LocalFault(`the engine's build has no program ${PROGRAMS[0]}. Pull the model again with another --build.`);
}

/** Returns the name of a build's directory. A single archive keeps the name that earlier versions gave it. */
function directoryName(archives: readonly string[]): string {
  const [only = '', ...further] = archives;
  return further.length === 0 ? only : createHash('sha256').update(archives.join(' ')).digest('hex');
}

/** Returns the variables with which a build finds its libraries, which lie beside its program. */
export function libraryPath(program: string): Record<string, string> {
  const name = { linux: 'LD_LIBRARY_PATH', darwin: 'DYLD_LIBRARY_PATH' }[process.platform as string];
  return name === undefined ? {} : { [name]: dirname(program) };
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
