import { execFileSync } from 'node:child_process';
import type { Running } from './child-service.ts';

const REST_MS = 10_000;
const LOOK_EVERY_MS = 500;

/** Measures the resident memory of an idle service after its start, with its children, in megabytes. */
export async function restingMegabytes(service: Running): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return treeMegabytes(service.process.pid!);
}

/** Looks at a service's memory from time to time, until it is stopped and tells the most that it saw. */
export function measureMemory(service: Running): { readonly stop: () => number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, treeMegabytes(service.process.pid!));
  }, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** Resident memory of a process and of everything that it started. What they share is counted for each. */
function treeMegabytes(root: number): number {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number, number]);
  const tree = new Set([root]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const [pid, parent] of rows) if (tree.has(parent)) tree.add(pid);
  }
  return Math.round(rows.reduce((sum, [pid, , kilobytes]) => sum + (tree.has(pid) ? kilobytes : 0), 0) / 1024);
}
