import { constants, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 1_000;
const MOST_BUSY = 0.05;
/** Maximum growth of the heap between two full collections, in bytes. */
const GROWTH_BYTES = 40 * 2 ** 20;
const LEAST_GROWTH_PERCENT = 40;
const MOST_GROWTH_PERCENT = 150;
/**
 * Space for new objects beyond which it no longer doubles, in bytes; half of it is in use at a time. V8 commits what it
 * doubled to little by little, so the space ends at up to twice this. V8's own limit is 64 MB.
 */
const MOST_NEW_BYTES = 16 * 2 ** 20;

/**
 * Keeps the heap small once the service runs. The service needs about 45 MB, and an order's allocations soon become
 * garbage, but by default V8 lets the heap grow to four times that size before it collects. One full collection frees
 * what the start allocated: at rest V8 would keep it. With these limits the start would take a fifth longer.
 *
 * That collection stops the process for a tenth of a second, so it waits for a second in which the process is nearly
 * idle. A service that is busy from its start allocates, so V8 collects anyway.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--expose-gc');
  // Contexts made after the flag have the function.
  const collect: (options: object) => void = runInNewContext('gc');
  setGrowthLimit();
  const observer = new PerformanceObserver((list) => {
    limitNewSpace();
    const entries = list.getEntries() as unknown as readonly { readonly detail?: { readonly kind?: number } }[];
    if (entries.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) setGrowthLimit();
  });
  observer.observe({ entryTypes: ['gc'] });
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

/** Sets V8's limit, which is a share of the heap's size, to a number of bytes. */
function setGrowthLimit(): void {
  const percent = Math.round((100 * GROWTH_BYTES) / getHeapStatistics().used_heap_size);
  const limited = Math.min(Math.max(percent, LEAST_GROWTH_PERCENT), MOST_GROWTH_PERCENT);
  setFlagsFromString(`--heap-growing-percent=${limited}`);
}

/** Stops V8 from enlarging the space for new objects beyond the limit. At rest V8 makes it small again. */
function limitNewSpace(): void {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  const mayGrow = space === undefined || space.space_size < MOST_NEW_BYTES;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}
