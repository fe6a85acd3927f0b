import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { keepCompiled, useBundledPackages } from '@darkroom-service/media/process';

// V8 can crash the process when it discards code during a fast API call such as Buffer.byteLength; observed under load.
// Set before any code is compiled: V8 does not use what was compiled with other flags.
setFlagsFromString('--no-turbo-fast-api-calls');
const root = join(import.meta.dirname, '..');
const compiled = join(root, 'compiled');
if (await keepCompiled(compiled)) useBundledPackages(join(compiled, 'packages'), join(root, 'node_modules'));

const [{ ADDITIONS }, { runCommandLine }, { addServiceCommands }, { withOutsideAdditions }] = await Promise.all([
  import('./additions/list.ts'),
  import('./cli/command-line.ts'),
  import('./cli/operator-commands.ts'),
  import('./outside-additions.ts'),
]);
process.exitCode = await runCommandLine(
  process.argv.slice(2),
  (environment) => withOutsideAdditions(ADDITIONS, environment),
  addServiceCommands,
);
