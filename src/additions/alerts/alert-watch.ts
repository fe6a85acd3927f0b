import { stat } from 'node:fs/promises';
import { type Clock, isoTime } from '@darkroom-service/contract/clock';
import type { Log } from '../../base/log.ts';
import { startWorkLoop } from '../../base/work-loop.ts';
import type { Database } from '../../database/database.ts';
import { claimChore } from '../../database/work.ts';
import { readFreeSpace } from '../../operations/free-space.ts';
import { askBalances, type BalanceAsker } from './ask-balances.ts';
import type { Condition } from './condition.ts';
import { type ConditionLimits, findConditions } from './find-conditions.ts';
import { diskScope } from './full-spools.ts';
import { lastingAlerts, recordConditions } from './record-conditions.ts';

/** Observes the service and its disk, and records alerts. */
interface AlertWatch {
  stop(): Promise<void>;
}

interface AlertWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly createId: (prefix: string) => string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly limits: ConditionLimits;
  /** Where this process keeps its data, and the files if they lie on this machine. */
  readonly disk: {
    readonly directories: readonly [string, ...string[]];
    readonly host: string;
    readonly freeBytes: number;
  };
  /** The outages of dependencies as this process sees them. */
  readonly readiness: {
    outages(): readonly Outage[];
    endedOutages(): readonly (Outage & { readonly until: number })[];
  };
  readonly repeatMs: number;
  readonly askers: readonly BalanceAsker[];
  /** Null = nobody is told. */
  readonly receiver: string | null;
  readonly everyMs?: number | undefined;
  /** Called when there may be messages to send. */
  readonly onMessages: () => void;
}

interface Outage {
  readonly check: string;
  readonly since: number;
  readonly reason: string;
}

const EVERY_MS = 60_000;
const OUTAGE_AFTER_MS = 60_000;
const OUTAGE_TOLD_MS = 10 * 60_000;
const BALANCES_EVERY_MS = 15 * 60_000;

/** Each process observes its own disks and storage; one process at a time observes what concerns all. */
export function startAlertWatch(options: AlertWatchOptions): AlertWatch {
  const {
    database,
    clock,
    log,
    createId,
    publicUrl,
    limits,
    disk,
    repeatMs,
    receiver,
    askers,
    everyMs = EVERY_MS,
  } = options;
  const loop = startWorkLoop({
    look: async () => {
      await observeDisk();
      if (await claimChore(database, 'alerts', everyMs)) await observeService();
      return everyMs;
    },
    restMs: everyMs,
    onError: (error) => log.error({ err: error }, 'could not check for alerts; retrying'),
  });
  return { stop: () => loop.stop() };

  async function observeDisk(): Promise<void> {
    const found = [...(await findDiskConditions(disk)), ...longOutages()];
    await record(diskScope(disk.host, disk.directories[0]), found);
  }

  /** A storage is often away for seconds. An outage of the database can only be recorded when it is over. */
  function longOutages(): Condition[] {
    const found: Condition[] = [];
    for (const { check, since, until, reason } of options.readiness.endedOutages()) {
      const isNews = clock.now() - until < OUTAGE_TOLD_MS && until - since >= OUTAGE_AFTER_MS;
      if (!isNews || check !== 'database writes') continue;
      const summary = `The database did not work for ${disk.host} from ${isoTime(since)} to ${isoTime(until)}: ${reason}.`;
      found.push({ kind: 'database_unavailable', subject: disk.host, summary });
    }
    for (const { check, since, reason } of options.readiness.outages()) {
      if (clock.now() - since < OUTAGE_AFTER_MS) continue;
      const [subject, when] = [disk.host, isoTime(since)];
      if (check === 'storage')
        found.push({
          kind: 'storage_unavailable',
          subject,
          summary: `The storage has not worked at ${subject} since ${when}: ${reason}.`,
        });
      if (check === 'spool')
        found.push({
          kind: 'spool_unavailable',
          subject,
          summary: `Answers of engines cannot be written to the disk at ${subject} since ${when}: ${reason}.`,
        });
    }
    return found;
  }

  async function observeService(): Promise<void> {
    const isTimeToAsk = askers.length > 0 && (await claimChore(database, 'balances', BALANCES_EVERY_MS));
    if (isTimeToAsk) await askBalances({ database, clock, log }, askers);
    await record('service', await findConditions(database, clock.now(), limits));
  }

  async function record(scope: string, found: readonly Condition[]): Promise<void> {
    if (found.length === 0 && (await lastingAlerts(database.read)).length === 0) return;
    const observation = { scope, found, now: clock.now(), repeatMs, receiver, publicUrl, createId };
    const changes = await database.write('alerts', (trx) => recordConditions(trx, observation));
    for (const { type, ...facts } of changes) {
      if (type === 'alert.ended') log.info(facts, 'alert ended');
      else log.warn(facts, type === 'alert.began' ? 'alert began' : 'alert continues');
    }
    if (changes.length > 0) options.onMessages();
  }
}

const MEGABYTE = 1024 * 1024;

/** Finds the disks of these directories that have less free space than allowed; each disk once. */
async function findDiskConditions(disk: {
  readonly directories: readonly string[];
  readonly host: string;
  readonly freeBytes: number;
}): Promise<Condition[]> {
  const seen = new Set<number>();
  const full: string[] = [];
  for (const directory of disk.directories) {
    // A directory that is not made yet lies on the disk of another one.
    const device = (await stat(directory).catch(() => null))?.dev;
    if (device === undefined || seen.has(device)) continue;
    seen.add(device);
    const free = await readFreeSpace(directory);
    if (free < disk.freeBytes)
      full.push(`${Math.floor(free / MEGABYTE)} MB are free on the disk of ${directory} at ${disk.host}.`);
  }
  return full.length === 0 ? [] : [{ kind: 'disk_nearly_full', subject: disk.host, summary: full.join(' ') }];
}
