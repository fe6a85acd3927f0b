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
  /** Returns the check `alerts`. */
  check(): { readonly name: string; readonly ok: boolean; readonly detail: string; readonly worked_at?: string };
}

export function createWatchHealth(clock: Clock): WatchHealth {
  const failing = new Map<string, Failing>();
  let lookedAt: number | null = null;
  return {
    record(what, reason, of = 'process') {
      lookedAt = clock.now();
      const known = failing.get(what);
      if (reason === null) failing.delete(what);
      else failing.set(what, { what, of, since: known?.since ?? lookedAt, reason, looks: (known?.looks ?? 0) + 1 });
    },
    conditions: (of) =>
      [...failing.values()]
        .filter((one) => one.of === of && one.looks >= LOOKS)
        .map(({ what: subject, since, reason }) => ({
          kind: 'watch_failed',
          subject,
          summary: `Darkroom has not been able to check ${subject} since ${isoTime(since)}: ${reason}.`,
        })),
    check() {
      const [first, ...others] = failing.values();
      if (first === undefined)
        return lookedAt === null
          ? { name: 'alerts', ok: true, detail: 'not checked yet' }
          : { name: 'alerts', ok: true, detail: 'conditions are checked', worked_at: isoTime(lookedAt) };
      const rest = others.length === 0 ? '' : `, and ${others.length} more`;
      return {
        name: 'alerts',
        ok: false,
        detail: `${first.what} could not be checked since ${isoTime(first.since)}: ${first.reason}${rest}`,
      };
    },
  };
}

/** Registers whether this process can check for alerts and record them. */
export function measureWatch(registry: Registry, { check }: Pick<WatchHealth, 'check'>): void {
  new Gauge({
    name: 'darkroom_alerts_up',
    help: '0 while this process cannot check for alerts, or cannot record them; 1 otherwise.',
    registers: [registry],
    collect() {
      this.set(check().ok ? 1 : 0);
    },
  });
}
