import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Outcome } from './run-near-test.ts';

/** Judges are not asked for the shortest story: it takes long. */
const LIVES = ['--env-file=test/quick.env', 'test/lives/lives.ts', '--seed', '1', '--unshrunk', '--lives'];

/**
 * Lives orders in a process of its own, with the same seeds each time. `first` is what a judge has found.
 * @param root of the tree to run it in
 * @param stop ends it; it is then red
 */
export async function runLives(root: string, lives: number, limitMs: number, stop: AbortSignal): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(process.execPath, [...LIVES, `${lives}`], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let isTimeout = false;
  const limit = setTimeout(() => {
    isTimeout = true;
    child.kill('SIGKILL');
  }, limitMs);
  const end = () => child.kill('SIGKILL');
  stop.addEventListener('abort', end);
  const [told] = await Promise.all([text(child.stdout), once(child, 'close')]);
  stop.removeEventListener('abort', end);
  clearTimeout(limit);
  const ms = performance.now() - began;
  if (child.exitCode === 0) return { kind: 'green', tests: lives, ms };
  return { kind: 'red', first: /^after \d+ lives, .*$/m.exec(told)?.[0] ?? 'no judge', isTimeout, ms };
}
