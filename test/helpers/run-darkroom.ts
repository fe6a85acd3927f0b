import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { childEnvironment } from './child-environment.ts';
import type { CommandToRun } from './command-host.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `darkroom` command in a process of its own, with these variables and none of ours. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const HOST = join(import.meta.dirname, 'command-host.ts');
/** More of them would load the program more often than commands wait. */
const MOST_HOSTS = 3;
/** Processes that have loaded the program and run no command, and how many there are in all. */
const freeHosts: ChildProcess[] = [];
let hosts = 0;
/** Commands that wait for a process. */
const waiting: ((host: ChildProcess) => void)[] = [];

export function startDarkroom(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string,
  input?: string | Buffer,
): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: directory,
    env: { ...childEnvironment(), ...variables },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const ended = Promise.all([exit, text(child.stdout!), text(child.stderr!)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { process: child, ended };
}

/**
 * Runs a command to its end. Loading the program takes ten times as long as most commands, so commands share
 * processes, one at a time in each. A service, and what replaces the program's own modules, gets a process of its own.
 */
export async function runDarkroom(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string,
  input?: string | Buffer,
): Promise<Ended> {
  if (words.includes('serve')) return await startDarkroom(words, variables, directory, input).ended;
  const host = await takeHost();
  const mark = `\n${randomUUID()}\n`;
  const outputs = [host.stdout!, host.stderr!].map((stream) => textUntil(stream, mark));
  const code = once(host, 'message');
  const command: CommandToRun = {
    words,
    variables: { ...childEnvironment(), ...variables },
    directory,
    input: input ?? null,
    mark,
  };
  setReferenced(host, true);
  host.send(command);
  const [stdout = '', stderr = ''] = await Promise.all(outputs);
  const ended = { code: Number((await code)[0]), stdout, stderr };
  giveBack(host);
  return ended;
}

async function takeHost(): Promise<ChildProcess> {
  const free = freeHosts.pop();
  if (free !== undefined) return free;
  if (hosts < MOST_HOSTS) return startHost();
  return await new Promise((resolve) => waiting.push(resolve));
}

function giveBack(host: ChildProcess): void {
  setReferenced(host, false);
  const next = waiting.shift();
  if (next === undefined) freeHosts.push(host);
  else next(host);
}

function startHost(): ChildProcess {
  hosts += 1;
  const host = fork(HOST, {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  for (const stream of [host.stdout!, host.stderr!]) stream.setEncoding('utf8');
  return host;
}

/** A process that runs no command does not keep the process of the tests. */
function setReferenced(host: ChildProcess, isReferenced: boolean): void {
  for (const part of [host, host.channel, host.stdout as Socket, host.stderr as Socket])
    if (isReferenced) part?.ref();
    else part?.unref();
}

/** Reads a stream up to the mark. @throws Error with what was read if the stream ends before */
async function textUntil(stream: Readable, mark: string): Promise<string> {
  let read = '';
  return await new Promise<string>((resolve, reject) => {
    const settle = (finish: () => void) => {
      stream.off('data', take).off('end', fail);
      stream.pause();
      finish();
    };
    const take = (piece: string) => {
      read += piece;
      if (read.endsWith(mark)) settle(() => resolve(read.slice(0, -mark.length)));
    };
    const fail = () => settle(() => reject(new Error(`the process of the commands ended: ${read}`)));
    stream.on('data', take).on('end', fail).resume();
  });
}

/** A directory of its own, and the commands run in it. The data lie in `data`, which is not there at first. */
export interface Installation {
  readonly directory: string;
  readonly data: string;
  readonly run: (...words: string[]) => Promise<Ended>;
  readonly json: (...words: string[]) => Promise<Record<string, unknown> & { items: Record<string, unknown>[] }>;
}

export async function installation(t: TestContext): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  t.after(() => rm(directory, { recursive: true }));
  const data = join(directory, 'data');
  const run = (...words: string[]) => runDarkroom(words, { DARKROOM_DATA_DIR: data }, directory);
  return {
    directory,
    data,
    run,
    json: async (...words) => {
      const { code, stdout, stderr } = await run(...words, '--json');
      assert.deepEqual([code, stderr], [0, '']);
      return JSON.parse(stdout);
    },
  };
}
