import { type Clock, isoTime } from '@darkroom-service/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Condition } from './condition.ts';

/** A part of the watch that fails itself. */
interface Failing {
  readonly what: string;
  readonly of: Watched;
  readonly since: number;
  readonly reason: string;
  readonly looks: number;
}

/** Scope of a watched part. For `service`, one process at a time watches and reports for all processes. */
type Watched = 'service' | 'process';

/** Chore that is done when a process has checked the conditions of the whole service and has recorded the result. */
export const LOOKED = 'alerts_looked';

/** Failed looks in a row until a part is reported: a single failure is often just a busy machine. */
const LOOKS = 2;

/** Tracks which parts of this process's watch fail: operators who get no alerts must know that nothing is checked. */
export interface WatchHealth {
  /** Records the result of a part at this round. @param reason null = it worked */
  record(what: string, reason: string | null, of?: Watched): void;
  /** Returns the conditions to report: parts of the watch that have failed in two rounds in a row. */
  conditions(of: Watched): Condition[];
  /** Tells whether each part worked at its last look. */
  isWorking(): boolean;
}

export function createWatchHealth(clock: Clock): WatchHealth {
  const failing = new Map<string, Failing>();
  return {
    record(what, reason, of = 'process') {
      const known = failing.get(what);
      if (reason === null) failing.delete(what);
      else failing.set(what, { what, of, since: known?.since ?? clock.now(), reason, looks: (known?.looks ?? 0) + 1 });
    },
    conditions: (of) =>
      [...failing.values()]
        .filter((one) => one.of === of && one.looks >= LOOKS)
        .map(({ what: subject, since, reason }) => ({
          kind: 'watch_failed',
          subject,
          summary: `Darkroom has not been able to check ${subject} since ${isoTime(since)}: ${reason}.`,
        })),
    isWorking: () => failing.size === 0,
  };
}

/** Registers whether this process can check for alerts and record them. */
export function measureWatch(registry: Registry, { isWorking }: Pick<WatchHealth, 'isWorking'>): void {
  new Gauge({
    name: 'darkroom_alerts_up',
    help: '0 while this process cannot check for alerts, or cannot record them; 1 otherwise.',
    registers: [registry],
    collect() {
      this.set(isWorking() ? 1 : 0);
    },
  });
}
