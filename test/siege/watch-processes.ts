import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The memory of a service, in megabytes: its own processes, and the largest of all that they started. */
export interface Memory {
  readonly service: number;
  readonly child: number;
}

export interface ProcessWatch {
  now(): Memory;
  /** The processor time that its own processes have taken, in milliseconds. */
  cpuMs(): number;
  /** The most since it was last asked. */
  peak(): Memory;
  close(): void;
}

const LOOK_EVERY_MS = 200;
/** On Linux. */
const MS_PER_TICK = 10;

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
    cpuMs: () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0),
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

/** As Linux tells; 0 elsewhere, and once the process has ended. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return 0;
  }
}
