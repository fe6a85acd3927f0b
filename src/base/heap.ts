import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 1_000;
const MOST_BUSY = 0.05;

/**
 * Keeps the heap small, once the service runs. It needs about 45 MB, and what an order allocates is soon garbage, but
 * by default V8 lets the heap grow to four times that size before it collects. What the start allocated is collected
 * once: at rest V8 would keep it. Limits that hold during the start too would make it a fifth longer.
 *
 * That collection stops the process for a tenth of a second, so it waits for a second in which hardly anything happens.
 * A service that is busy from its start allocates, and so collects without it.
 */
export function keepHeapSmall(): void {
  for (const flag of ['--heap-growing-percent=40', '--expose-gc']) setFlagsFromString(flag);
  // Contexts made after the flag have the function.
  const collect: (options: object) => void = runInNewContext('gc');
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > MOST_BUSY) return;
    clearInterval(timer);
    collect({ type: 'major', flavor: 'last-resort' });
  }, LOOK_EVERY_MS).unref();
}
