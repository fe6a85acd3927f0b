import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
/** The addition whose commands call a running service. An installation can leave it out. */
const ADDITION = join(ROOT, 'additions', 'client-commands', 'src', 'client-commands.ts');
/** Runs these commands alone. */
const PROGRAM = `import { CLIENT_COMMANDS } from '${ADDITION}';
import { runCommandLine } from '${join(ROOT, 'src', 'cli', 'command-line.ts')}';
process.exitCode = await runCommandLine(process.argv.slice(2), async () => [CLIENT_COMMANDS], () => {});
`;

/**
 * Bundles the command line of customers, without the service, and packs it into a folder. Does nothing without the
 * addition that has the commands.
 * @param folder of its manifest and its executable
 */
export async function packCommandLine(folder: string, destination: string): Promise<void> {
  if (!existsSync(ADDITION)) return;
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  // What its commands do not use, such as the database, is left out. The bundle lies two levels deep, as do the
  // sources, which read the package.json from there.
  await using bundle = await rolldown({
    input: { main: 'program' },
    platform: 'node',
    plugins: [providesProgram],
    treeshake: { moduleSideEffects: false },
    logLevel: 'warn',
  });
  await bundle.write({ dir: join(dist, 'lib', 'commands'), format: 'esm', comments: { jsdoc: false } });
  for (const name of ['package.json', 'README.md', 'bin'])
    cpSync(join(folder, name), join(dist, name), { recursive: true });
  cpSync(join(folder, '..', '..', 'LICENSE'), join(dist, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: dist, stdio: 'ignore' });
}

const providesProgram: Plugin = {
  name: 'provides-program',
  resolveId: (id) => (id === 'program' ? '\0program' : null),
  load: (id) => (id === '\0program' ? PROGRAM : null),
};
