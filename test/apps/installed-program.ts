import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ASK_EVERY_MS = 500;
const STOPS_WITHIN_MS = 20_000;

/** Finds a program by an environment variable, or in PATH. @throws an error that says how to install it. */
export function findProgram(variable: string, name: string, install: string): string {
  const given = process.env[variable];
  const places =
    given !== undefined ? [given] : (process.env.PATH ?? '').split(delimiter).map((path) => join(path, name));
  const found = places.find(isExecutable);
  if (found === undefined)
    throw new Error(
      `${given ?? name} is not an executable program. Install it (${install}) and set ${variable} to its path.`,
    );
  return found;
}

/** Finds a file of a program by an environment variable. @throws an error that says how to install the program. */
export function findFile(variable: string, install: string): string {
  const path = process.env[variable] ?? '';
  if (existsSync(path)) return resolve(path);
  throw new Error(`${variable} is no path of a file. Install the program (${install}) and set it.`);
}

/** A directory that is removed at the end. */
export async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-app-'));
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return directory;
}

/**
 * Starts a program and waits until a URL of it answers 200. Its output goes to a file, whose end is in the error if the
 * program ends early.
 */
export async function startProgram(
  stack: AsyncDisposableStack,
  program: {
    readonly path: string;
    readonly words: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    readonly directory: string;
    readonly readyUrl: string;
  },
): Promise<void> {
  const logPath = join(program.directory, 'output.log');
  const log = createWriteStream(logPath);
  const child = spawn(program.path, program.words, {
    cwd: program.directory,
    env: { PATH: process.env.PATH, HOME: program.directory, ...program.variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  stack.defer(() => stop(child, ended));
  const isReady = async () => (await fetch(program.readyUrl).catch(() => null))?.status === 200;
  for (;;) {
    const early = await Promise.race([ended, pause(ASK_EVERY_MS, null)]);
    if (early !== null)
      assert.fail(`${program.path} did not start: ${early}\n${(await readFile(logPath, 'utf8')).slice(-4_000)}`);
    if (await isReady()) return;
  }
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const overdue = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  await ended;
  clearTimeout(overdue);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
