import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { NearTest } from './slip.ts';

export type Outcome =
  | { readonly kind: 'green'; readonly tests: number; readonly ms: number }
  /** `first` is the name of the first failed test; `isTimeout`: it waited until it was ended. */
  | { readonly kind: 'red'; readonly first: string; readonly isTimeout: boolean; readonly ms: number };

/** After its tests have ended, a process gets this long to close what they opened. */
const CLOSES_WITHIN_MS = 10_000;

/**
 * Runs a test file in a process of its own.
 * @param root of the tree to run it in
 * @param limitMs how long one test may take
 * @param stop ends it; it is then red
 */
export async function runNearTest(
  root: string,
  { file, only, database }: NearTest,
  limitMs: number,
  stop: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const environments = ['test/quick.env', ...(database === 'postgres' ? ['test/postgres.env'] : [])];
  const child = spawn(
    process.execPath,
    [
      ...environments.map((path) => `--env-file=${path}`),
      `--import=${pathToFileURL(join(root, 'test/slips/without-shrinking.ts')).href}`,
      ...(only === undefined ? [] : [`--test-name-pattern=${only}`]),
      ...['--test', '--test-reporter=tap', `--test-timeout=${limitMs}`, file],
    ],
    // A group of its own, so that what a test started ends with it.
    { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let wasEnded = false;
  const end = () => {
    wasEnded = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const limit = setTimeout(end, limitMs + CLOSES_WITHIN_MS);
  stop.addEventListener('abort', end);
  const [told] = await Promise.all([text(child.stdout), once(child, 'close')]);
  stop.removeEventListener('abort', end);
  clearTimeout(limit);
  const ms = performance.now() - began;
  const tests = Number(/^# pass (\d+)$/m.exec(told)?.[1] ?? 0);
  // A name that matches no test is as bad as a failed one.
  if (child.exitCode === 0 && tests > 0) return { kind: 'green', tests, ms };
  const isTimeout = wasEnded || /^\s*failureType: 'testTimeoutFailure'$/m.test(told);
  return { kind: 'red', first: /^\s*not ok \d+ - (.*)$/m.exec(told)?.[1] ?? 'no test ran', isTimeout, ms };
}
