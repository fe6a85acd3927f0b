import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/npm');
const run = promisify(execFile);

/**
 * Installs a package of npm in a folder of its own, or finds the one that an earlier run made. Its scripts do not run.
 * @param version exact, such as `1.3.19`
 * @returns the folder of the package
 */
export async function installNpmPackage(name: string, version: string): Promise<string> {
  const folder = join(CACHE, `${name.replaceAll('/', '+')}-${version}`);
  const found = join(folder, 'node_modules', name);
  if (existsSync(found)) return found;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  try {
    await run('npm', [
      'install',
      '--prefix',
      draft,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
    ]);
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(found)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return found;
}
