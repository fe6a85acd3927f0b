import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigFault } from './config-fault.ts';
import { findForeignPaths } from './own-paths.ts';

const VARIABLE = 'DARKROOM_DATA_DIR';

/**
 * Creates the data directory, if needed, so that only its owner can read it.
 * @throws ConfigFault with all paths in it that this user may not read or write
 */
export async function makeDataDirectory(path: string): Promise<void> {
  checkDataDirectory(path);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw fault(`cannot create ${path} (${reason}). Name a directory that this user may create or write`);
  }
  const foreign = await findForeignPaths(path);
  if (foreign.length > 0) throw new ConfigFault(foreign.map((message) => ({ variable: VARIABLE, message })));
}

/**
 * Checks that the data directory can be created.
 * @throws ConfigFault if the path, or a directory above it, is a file.
 */
export function checkDataDirectory(path: string): void {
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found?.isDirectory() === true || (found === undefined && dirname(at) === at)) return;
    if (found !== undefined) throw fault(`expected a directory, found a file at ${at}. Name another path`);
  }
}

function fault(message: string): ConfigFault {
  return new ConfigFault([{ variable: VARIABLE, message }]);
}
