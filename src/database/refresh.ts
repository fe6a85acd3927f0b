import { world } from '@darkroom-service/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';

/** A periodic read, so that a change by one process applies in all. */
export interface Refresh {
  /** Reads now. The read sees every commit made before the call. */
  readonly now: () => Promise<void>;
  /** Ends the reads. Resolves when the current one has ended. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds after which a read no longer delays the next one: its connection may be dead. */
const LONGEST_MS = 5_000;

/**
 * Reads something now, periodically, and on demand, one read at a time. While reads fail, the last state stays in use.
 * @param name as in logs and metrics
 * @throws the error of the first read
 */
export type StartRefresh = (name: string, everyMs: number, read: () => Promise<void>) => Promise<Refresh>;

/** Registers a metric of all reads, and logs the first failure of each in a row. */
export function createStartRefresh({
  log,
  registry,
}: {
  readonly log: Pick<Log, 'error' | 'info'>;
  readonly registry: Registry;
}): StartRefresh {
  const readAt = new Map<string, number>();
  new Gauge({
    name: 'darkroom_refresh_age_seconds',
    help: 'Time since this process last read what others change: switches, circuits, limits, keys, secrets, the clock.',
    labelNames: ['what'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [what, at] of readAt) this.set({ what }, (world.monotonic() - at) / 1000);
    },
  });
  return async (name, everyMs, read) => {
    let current: Promise<void> | null = null;
    let next: Promise<void> | null = null;
    let isFailing = false;

    async function readNow(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const longestMs = Math.max(everyMs, LONGEST_MS);
      const late = new Promise<never>((_, reject) => {
        timer = world.setTimeout(() => reject(new Error(`no answer within ${longestMs / 1000} s`)), longestMs);
        timer.unref();
      });
      try {
        await Promise.race([read(), late]);
        readAt.set(name, world.monotonic());
        if (isFailing) log.info({ what: name }, 'refreshed again');
        isFailing = false;
      } finally {
        world.clearTimeout(timer);
        current = null;
      }
    }

    /** Reads now. A read that has begun may have missed the latest commit, so another one follows it. */
    function now(): Promise<void> {
      if (current === null) {
        current = readNow();
        return current;
      }
      next ??= current
        .catch(() => {})
        .then(() => {
          next = null;
          return now();
        });
      return next;
    }

    // The first read has no time limit.
    await read();
    readAt.set(name, world.monotonic());
    const timer = world.setInterval(() => {
      if (current !== null) return;
      now().catch((error: unknown) => {
        if (!isFailing) log.error({ err: error, what: name }, 'could not refresh; keeping the last known state');
        isFailing = true;
      });
    }, everyMs);
    timer.unref();
    return {
      now,
      async stop() {
        world.clearInterval(timer);
        readAt.delete(name);
        await (next ?? current)?.catch(() => {});
      },
    };
  };
}
