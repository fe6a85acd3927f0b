import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bundles the command line of customers, without the service, and packs it into a folder.
 * @param folder of its manifest and its executable
 */
export async function packCommandLine(folder: string, destination: string): Promise<void> {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  // What its commands do not use, such as the database, is left out. The bundle lies two levels deep, as do the
  // sources, which read the package.json from there.
  await using bundle = await rolldown({
    input: { main: join(import.meta.dirname, 'client-commands.ts') },
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    logLevel: 'warn',
  });
  await bundle.write({ dir: join(dist, 'lib', 'commands'), format: 'esm', comments: { jsdoc: false } });
  for (const name of ['package.json', 'README.md', 'bin'])
    cpSync(join(folder, name), join(dist, name), { recursive: true });
  cpSync(join(folder, '..', '..', 'LICENSE'), join(dist, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: dist, stdio: 'ignore' });
}
