import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that takes orders. */
export interface RunningPeer {
  readonly url: string;
  readonly pid: number;
  /** Ends the process, or kills it at once. Resolves when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const STARTS_WITHIN_MS = 60_000;

/** Starts a process, and waits until it answers at a path. */
export async function startPeer(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  ready: string,
): Promise<RunningPeer> {
  const [program, ...values] = command;
  const child = spawn(program, values, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // A measurement that fails leaves nothing behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await untilReady(child, ready);
  if (child.pid === undefined) throw new Error(`${program} has no process`);
  return { url: new URL(ready).origin, pid: child.pid, end: (signal) => endChild(child, signal) };
}

export async function endChild(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const end = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < end && child.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok === true) return;
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`nothing answers at ${url}`);
}
