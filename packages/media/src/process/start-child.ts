import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { compileCacheVariable } from './compile-cache.ts';

/** Value for Linux, which ends the process with the highest value first. */
const ENDED_FIRST = '1000';

/**
 * Starts a child process of the service. When memory runs out, the child and its own children end before the service.
 * The child gets no variable of the service's environment, which contains secrets.
 * @throws the system's error if no process can be started now
 */
export function startChild(
  program: URL | string,
  args: readonly string[],
  { env = {}, ...options }: Pick<ForkOptions, 'env' | 'execArgv' | 'execPath' | 'serialization' | 'stdio'>,
): ChildProcess {
  const child = fork(program, args, { ...options, env: { ...env, ...compileCacheVariable() } });
  if (process.platform === 'linux' && child.pid !== undefined)
    try {
      writeFileSync(`/proc/${child.pid}/oom_score_adj`, ENDED_FIRST);
    } catch {
      // The process has ended, or this system does not allow this.
    }
  return child;
}
