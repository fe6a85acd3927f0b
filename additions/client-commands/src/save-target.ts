import { type FileHandle, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { CommandFault, type OutputOptions, STANDARD, usageFault } from '@darkroom-service/darkroom/kernel-cli';

/** Random part of temporary names: in containers, commands that save at one path may have the same process number. */
const OWN = world.randomUUID().slice(0, 8);

export interface SaveOptions {
  /** The path of the output file. */
  readonly output?: string;
  /** Whether an existing file is replaced. */
  readonly force?: boolean;
}

/** Target to which an output is written. */
interface SaveTarget {
  /**
   * `stream`: standard output, or a character device such as `/dev/null`, which is written to and never replaced.
   */
  readonly kind: 'file' | 'stream';
  /** Path with symbolic links resolved: the file behind a link is replaced, the link stays. */
  readonly path: string;
}

/** Checks before anything is ordered whether the output can be saved. @throws CommandFault */
export async function checkTarget(options: SaveOptions & OutputOptions): Promise<void> {
  if (options.output === undefined) return;
  if (options.output === STANDARD) checkStandardOutput(options);
  const target = await findTarget(options.output, options.force ?? false);
  if (target.kind === 'stream') return;
  const probe = partialPath(target.path);
  let handle: FileHandle | null = null;
  try {
    handle = await open(probe, 'wx');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CommandFault(
      `Cannot create a file in ${dirname(target.path)} (${code}), so ${options.output} could not be saved. Name a file in another directory.`,
      { cause: error },
    );
  } finally {
    await handle?.close();
    if (handle !== null) await rm(probe, { force: true });
  }
}

/** @throws CommandFault if something else is printed there, or a person would see the bytes */
function checkStandardOutput({ json, plain, force }: SaveOptions & OutputOptions): void {
  if (json || plain)
    throw usageFault(`-o - and ${json ? '--json' : '--plain'} both write to standard output. Name a file.`);
  if (process.stdout.isTTY && !force)
    throw usageFault(
      '-o - would write a binary file to the terminal. Redirect the output, name a file, or add --force.',
    );
}

/** Returns the temporary name of a file while this command writes it. */
export function partialPath(path: string): string {
  return `${path}.${OWN}.part`;
}

/** Follows links and rejects every target that a saved output must not replace. @throws CommandFault */
export async function findTarget(output: string, force: boolean): Promise<SaveTarget> {
  if (output === STANDARD) return { kind: 'stream', path: STANDARD };
  if (/[/\\]$/.test(output)) throw namesDirectory(output);
  const entry = await lstat(output).catch(() => null);
  if (entry === null) return { kind: 'file', path: join(await findDirectory(output), basename(output)) };
  const path = await realpath(output).catch(() => null);
  if (path === null) throw new CommandFault(`${output} is a symbolic link to a file that does not exist. Name a file.`);
  const found = await stat(path);
  if (found.isDirectory()) throw namesDirectory(output);
  if (found.isCharacterDevice()) return { kind: 'stream', path };
  if (!found.isFile()) {
    throw new CommandFault(`${output} is not a regular file. Only files and character devices are written to.`);
  }
  if (!force) throw new CommandFault(`${output} exists. Name another file, or add --force to replace it.`);
  return { kind: 'file', path };
}

async function findDirectory(output: string): Promise<string> {
  const directory = dirname(output);
  const found = await stat(directory).catch(() => null);
  if (found === null) throw new CommandFault(`The directory ${directory} of ${output} does not exist.`);
  if (!found.isDirectory()) throw new CommandFault(`${directory} in ${output} is not a directory.`);
  return directory;
}

function namesDirectory(output: string): CommandFault {
  return new CommandFault(`${output} is a directory. Name a file in it, such as ${join(output, 'picture.png')}.`);
}
