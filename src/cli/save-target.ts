import { type FileHandle, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandFault, usageFault } from './command-fault.ts';

export interface SaveOptions {
  /** The path of the output file. */
  readonly output?: string;
  /** Replaces an existing file. */
  readonly force?: boolean;
}

/** Where an output is written. */
export interface SaveTarget {
  /** `device`: a character device such as `/dev/null`, which is written to and never replaced. */
  readonly kind: 'file' | 'device';
  /** With symbolic links resolved: the file behind a link is replaced, the link stays. */
  readonly path: string;
}

/** Checks before anything is ordered whether the output can be saved. @throws CommandFault */
export async function checkTarget(options: SaveOptions): Promise<void> {
  if (options.output === undefined) return;
  const target = await findTarget(options.output, options.force ?? false);
  if (target.kind === 'device') return;
  const probe = partOf(target.path);
  let handle: FileHandle | null = null;
  try {
    handle = await open(probe, 'wx');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CommandFault(
      `No file can be created in ${dirname(target.path)}, so ${options.output} could not be saved (${code}). Name a file in another directory.`,
      { cause: error },
    );
  } finally {
    await handle?.close();
    if (handle !== null) await rm(probe, { force: true });
  }
}

/** Returns the temporary name of a file while it is written. */
export function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}

/** Follows links and rejects everything that a saved output must not replace. @throws CommandFault */
export async function findTarget(output: string, force: boolean): Promise<SaveTarget> {
  if (output === '-') throw usageFault('-o - is not supported: the output cannot be printed. Name a file.');
  if (/[/\\]$/.test(output)) throw namesDirectory(output);
  const entry = await lstat(output).catch(() => null);
  if (entry === null) return { kind: 'file', path: join(await findDirectory(output), basename(output)) };
  const path = await realpath(output).catch(() => null);
  if (path === null) throw new CommandFault(`${output} is a symbolic link to a file that does not exist. Name a file.`);
  const found = await stat(path);
  if (found.isDirectory()) throw namesDirectory(output);
  if (found.isCharacterDevice()) return { kind: 'device', path };
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
