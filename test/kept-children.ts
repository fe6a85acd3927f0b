import { startPainterProcess } from '@darkroom-service/illustrator';
import { startMediaProcess } from '@darkroom-service/media';
import type { ServiceOptions } from '../src/service/service-options.ts';

/** A process that does one job at a time. */
interface Child {
  readonly jobs: number;
  readonly memory: number;
  readonly usable: boolean;
  readonly ended: Promise<void>;
  run(...args: never): Promise<unknown>;
  kill(): void;
}

const MOST_KEPT = 2;
const MOST_JOBS = 60;
const MOST_MEMORY_BYTES = 200_000_000;

/**
 * Starts the child processes of services under test, and keeps those that a stopped service leaves idle for the next
 * one: starting a process, with the libraries that its first job loads, costs more processor time than most tests.
 */
export const KEPT_CHILDREN: NonNullable<ServiceOptions['children']> = {
  startMediaProcess: keeping(startMediaProcess),
  startPainterProcess: keeping(startPainterProcess),
};

function keeping<Args extends unknown[], Kind extends Child>(start: (...args: Args) => Kind): (...args: Args) => Kind {
  const kept = new Map<string, Kind[]>();
  return (...args) => {
    const idle = kept.getOrInsertComputed(JSON.stringify(args), () => []);
    let child = idle.pop();
    while (child?.usable === false) child = idle.pop();
    return lend(child ?? start(...args), idle);
  };
}

/** Ends a process that works, as a pool expects it; puts an idle one back. */
function lend<Kind extends Child>(child: Kind, idle: Kind[]): Kind {
  const returned = Promise.withResolvers<void>();
  let isReturned = false;
  let isWorking = false;
  return {
    ...child,
    get jobs() {
      return child.jobs;
    },
    get memory() {
      return child.memory;
    },
    get usable() {
      return child.usable && !isReturned;
    },
    ended: Promise.race([child.ended, returned.promise]),
    async run(...args: never) {
      isWorking = true;
      try {
        return await child.run(...args);
      } finally {
        isWorking = false;
      }
    },
    kill() {
      if (isReturned) return;
      const isFresh = child.usable && child.jobs < MOST_JOBS && child.memory < MOST_MEMORY_BYTES;
      if (isWorking || !isFresh || idle.length >= MOST_KEPT) return child.kill();
      isReturned = true;
      idle.push(child);
      returned.resolve();
    },
  };
}
