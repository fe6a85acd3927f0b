import { Readable } from 'node:stream';
import { ADDITIONS } from '../../src/additions/list.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { addServiceCommands } from '../../src/cli/operator-commands.ts';
import { withOutsideAdditions } from '../../src/outside-additions.ts';

/**
 * Runs commands one after the other, in a process that has loaded the program already: started by `run-darkroom.ts`.
 * Each gets the variables, the directory and the standard input of its own, and its outputs end with a mark.
 */
export interface CommandToRun {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly input: string | Uint8Array | null;
  /** Written to standard output and standard error after the last of the command. */
  readonly mark: string;
}

process.on('message', (command: CommandToRun) => void run(command));
process.on('disconnect', () => process.exit());

async function run({ words, variables, directory, input, mark }: CommandToRun): Promise<void> {
  process.env = { ...variables };
  process.chdir(directory);
  const stdin = input === null ? [] : [Buffer.from(input)];
  Object.defineProperty(process, 'stdin', { value: Readable.from(stdin, { objectMode: false }), configurable: true });
  process.exitCode = undefined;
  const code = await runCommandLine(
    words,
    (environment) => withOutsideAdditions(ADDITIONS, environment),
    addServiceCommands,
  );
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send?.(code);
}
