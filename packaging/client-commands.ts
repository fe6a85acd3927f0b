import { CLIENT_COMMANDS } from '@darkroom-service/addition-client-commands';
import { runCommandLine } from '../src/cli/command-line.ts';

/** The program of the packed command line: the commands that call a running service. */
process.exitCode = await runCommandLine(
  process.argv.slice(2),
  async () => [CLIENT_COMMANDS],
  () => {},
);
