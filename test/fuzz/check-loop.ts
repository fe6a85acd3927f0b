import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A batch of 200 requests takes one to three CPU seconds of the thread, with the fuzzer's own work in it. */
const MOST_CPU_MS = 15_000;
/** Of bodies, with the fuzzer's sending. */
const MOST_CPU_MS_PER_MEGABYTE = 100;
/** CPU time of one turn of the loop: its delay on a machine with other work says nothing by itself. */
const MOST_DELAY_MS = 5_000;

export interface LoopCheck {
  /** What is wrong with the work since the last call, in which so many megabytes were sent; null if nothing is. */
  readonly fault: (megabytes: number) => string | null;
  readonly stop: () => void;
}

/** Watches what the thread of the service works, and how long its event loop stands. */
export function createLoopCheck(): LoopCheck {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let last = cpuMs();
  return {
    fault(megabytes) {
      const most = MOST_CPU_MS + megabytes * MOST_CPU_MS_PER_MEGABYTE;
      const used = cpuMs() - last;
      const stood = delay.max / 1e6;
      last = cpuMs();
      delay.reset();
      if (used > most) return `its requests took ${Math.round(used)} ms of CPU time, at most ${Math.round(most)}`;
      // What stood while others had the processor is no work of ours.
      if (Math.min(stood, used) > MOST_DELAY_MS) return `the event loop stood for ${Math.round(stood)} ms`;
      return null;
    },
    stop: () => delay.disable(),
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
