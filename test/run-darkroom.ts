import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { childEnvironment } from './child-environment.ts';

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

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

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

export async function runDarkroom(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string,
  input?: string | Buffer,
): Promise<Ended> {
  return await startDarkroom(words, variables, directory, input).ended;
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
