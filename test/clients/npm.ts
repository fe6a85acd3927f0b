import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/npm');
const run = promisify(execFile);

/**
 * Installs published packages that the checkout does not depend on, or finds what an earlier run installed.
 * @param packages as npm takes them, versions pinned: `left-pad@1.3.0`
 * @returns the folder of the packages
 */
export async function installFromNpm(packages: readonly string[]): Promise<string> {
  const mark = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16);
  const folder = join(CACHE, mark);
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const draft = await mkdtemp(join(CACHE, 'draft-'));
    try {
      const options = ['--prefix', draft, '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', ['install', ...options, ...packages]);
      await rename(draft, folder);
    } catch (error) {
      if (!existsSync(folder)) throw new Error(`${packages.join(', ')} could not be installed.`, { cause: error });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules');
}
