import { Command, CommanderError, Help } from 'commander';
import { VERSION } from '../base/process.ts';
import type { Addition } from '../service/addition.ts';
import { splitList } from '../service/config/config-variables.ts';
import { type Environment, readEnvironment } from '../service/config/environment.ts';
import { WITHOUT } from '../service/enabled-additions.ts';
import { CommandFault, commandFault } from './command-fault.ts';
import { hang } from './output.ts';
import { useAdditions } from './own-config.ts';
import { print, printJson } from './print.ts';
import { HELP_WIDTH, terminalWidth } from './terminal.ts';

/** Below this width a description has its own lines, below its term. */
const NARROW = 70;
const DESCRIPTION_INDENT = 6;

/** Lays help out on terminals too narrow for two columns. */
const narrowHelp: Partial<Help> = {
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    return width < NARROW
      ? hang(`  ${term}`, description, DESCRIPTION_INDENT, width)
      : Help.prototype.formatItem.call(this, term, termWidth, description, helper);
  },
};

const USAGE_EXIT_CODE = 2;

/** Adds commands that no addition has. */
type AddCommands = (program: Command, additions: readonly Addition[]) => void;

/**
 * Runs the command line.
 * @param loadAdditions returns all additions of the service with these variables
 * @param addCommands adds the commands that no addition has
 * @returns the exit code: 0 = done, 1 = failed, 2 = used incorrectly, 130 = interrupted
 */
export async function runCommandLine(
  words: readonly string[],
  loadAdditions: (environment: Environment) => Promise<readonly Addition[]>,
  addCommands: AddCommands,
): Promise<number> {
  const json = words.includes('--json');
  try {
    await createProgram(await loadAdditions(readEnvironment()), json, addCommands).parseAsync([...words], {
      from: 'user',
    });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error, json);
  }
}

/** Builds the whole command line. @param json whether a fault is printed as a document instead of a text */
export function createProgram(additions: readonly Addition[], json: boolean, addCommands: AddCommands): Command {
  useAdditions(additions);
  const program = new Command('darkroom')
    .description('One HTTP interface in front of every engine that creates images and videos.')
    .version(VERSION, '-V, --version', 'print the version')
    .exitOverride()
    // `darkroom alerts` and `darkroom alerts silence` both have --json.
    .enablePositionalOptions()
    .configureHelp(narrowHelp)
    .configureOutput({
      getOutHelpWidth: () => Math.min(terminalWidth(), HELP_WIDTH),
      getErrHelpWidth: () => Math.min(terminalWidth(process.stderr), HELP_WIDTH),
      writeOut: (text) => print(text.replace(/\n$/, '')),
      writeErr: json ? () => {} : (text) => print(text.replace(/\n$/, ''), process.stderr),
    })
    .showHelpAfterError('(add --help for help)');
  addCommands(program, additions);
  addAddedCommands(program, additions);
  return program;
}

/** Adds the commands of additions. Commands of a closed addition only report that it is closed. */
function addAddedCommands(program: Command, additions: readonly Addition[]): void {
  const without = splitList(readEnvironment()[WITHOUT] ?? '');
  for (const { name, commands } of additions) {
    const before = program.commands.length;
    commands?.(program, additions);
    if (!without.includes(name)) continue;
    for (const command of program.commands.slice(before))
      command.hook('preAction', () => {
        throw new CommandFault(`${WITHOUT} closes '${name}' here, so darkroom ${command.name()} does nothing.`);
      });
  }
}

/** Reports a failure; with `--json` as a document on standard output. @returns the exit code. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (json) printJson({ error: { code: 'usage', message: error.message.replace(/^error: /, '') } });
    return USAGE_EXIT_CODE;
  }
  const fault = commandFault(error);
  if (json) printJson(fault.document);
  else print(fault.message, process.stderr);
  return fault.exitCode;
}
