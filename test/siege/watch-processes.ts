import { execFileSync } from 'node:child_process';

/** The memory of a service, in megabytes: its own processes, and the largest of all that they started. */
export interface Memory {
  readonly service: number;
  readonly child: number;
}

export interface ProcessWatch {
  now(): Memory;
  /** The most since it was last asked. */
  peak(): Memory;
  close(): void;
}

const LOOK_EVERY_MS = 200;

/** Looks at resident memory from outside, also while the service itself answers nothing. */
export function watchProcesses(pids: readonly number[]): ProcessWatch {
  let most: Memory = { service: 0, child: 0 };
  const look = () => {
    const found = memoryOf(pids);
    most = { service: Math.max(most.service, found.service), child: Math.max(most.child, found.child) };
    return found;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    now: () => memoryOf(pids),
    peak() {
      look();
      const peak = most;
      most = { service: 0, child: 0 };
      return peak;
    },
    close: () => clearInterval(timer),
  };
}

function memoryOf(pids: readonly number[]): Memory {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number, number]);
  const megabytes = (kilobytes: number) => Math.round(kilobytes / 1024);
  const most = (found: readonly [number, number, number][]) => Math.max(0, ...found.map(([, , rss]) => megabytes(rss)));
  return {
    service: most(rows.filter(([pid]) => pids.includes(pid))),
    child: most(rows.filter(([, parent]) => pids.includes(parent))),
  };
}
