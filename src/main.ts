import { ADDITIONS } from './additions/list.ts';
import { runCommandLine } from './cli/command-line.ts';
import { withOutsideAdditions } from './outside-additions.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), (environment) =>
  withOutsideAdditions(ADDITIONS, environment),
);
