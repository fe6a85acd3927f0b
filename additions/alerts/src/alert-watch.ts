import { stat } from 'node:fs/promises';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { wordsOf } from '@darkroom-service/darkroom/kernel-views';
import { readFreeSpace } from '@darkroom-service/files';
import { claimChore, markChore } from '@darkroom-service/store';
import type { AlertKind, Condition } from './condition.ts';
import { type BalanceSource, fetchBalances } from './fetch-balances.ts';
import { type ConditionLimits, findConditions } from './find-conditions.ts';
import { diskScope, placeOf } from './full-spools.ts';
import { lastingAlerts, type Observation, recordConditions } from './record-conditions.ts';
import { sendAlerts } from './send-alerts.ts';
import { LOOKED, type WatchHealth } from './watch-health.ts';

interface AlertWatchOptions {
  /** Public URL without a slash at the end; null if it is not known. */
  readonly publicUrl: string | null;
  readonly limits: ConditionLimits;
  /** Directories of this process's data, and of the files if they lie on this machine. */
  readonly disk: {
    readonly directories: readonly [string, ...string[]];
    readonly host: string;
    readonly freeBytes: number;
  };
  /** The storage, and the scope of its observers. */
  readonly storage: { readonly subject: string; readonly scope: string };
  readonly health: WatchHealth;
  readonly repeatMs: number;
  readonly askers: readonly BalanceSource[];
  /** Host of the webhook; null = no messages are sent. */
  readonly receiver: string | null;
  /** Called when there may be messages to send. */
  readonly onMessages: () => void;
}

type Outage = ReturnType<Kernel['process']['outages']>[number];

const EVERY_MS = 60_000;
const OUTAGE_AFTER_MS = 60_000;
const OUTAGE_TOLD_MS = 10 * 60_000;
const BALANCES_EVERY_MS = 15 * 60_000;

/**
 * Starts the watch. Each process observes its own disks and storage; one process at a time observes the conditions of
 * the whole service. A failing part stops no other one, and is an alert itself.
 */
export function startAlertWatch(
  kernel: Pick<Kernel, 'checks' | 'clock' | 'engines' | 'log' | 'process' | 'store' | 'work'>,
  options: AlertWatchOptions,
): void {
  const { clock, log, process, store, work } = kernel;
  const { limits, disk, health, askers } = options;
  const { addedEveryMs: everyMs = EVERY_MS } = work.tempo;
  const place = placeOf(disk.host, disk.directories[0]);
  work.loop({
    run: async () => {
      const [beganAt, waitMs] = [clock.now(), untilLongOutage()];
      await part(`alerts at ${place}`, observe);
      // An outage may have become long after this round had checked it.
      return Math.min(everyMs, untilLongOutage(), Math.max(0, waitMs - (clock.now() - beganAt)));
    },
    restMs: everyMs,
    onError: (error) => log.error({ err: error }, 'could not check for alerts; retrying'),
  });

  async function observe(): Promise<void> {
    await part(`the disks of ${place}`, observeDisk);
    await part('the storage', observeStorage);
    if (await claimChore(store, 'alerts', everyMs)) await part('the service', observeService);
    await part('messages about alerts', sendMessages);
  }

  /** Runs a part of the watch. A failure is recorded and reported, and the other parts still run. */
  async function part(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      health.record(what, null);
    } catch (error) {
      health.record(what, wordsOf(error));
      log.error({ err: error, what }, 'could not check for alerts; retrying');
    }
  }

  async function observeDisk(): Promise<void> {
    const found = [...(await findDiskConditions(disk)), ...longOutages(), ...health.conditions('process')];
    await record({ scope: diskScope(disk.host, disk.directories[0]), found });
  }

  /**
   * Returns long outages. A storage is often unavailable for seconds. An outage of the database can only be recorded
   * when it is over.
   */
  function longOutages(): Condition[] {
    const found: Condition[] = [];
    for (const { name, since, until, detail } of process.endedOutages()) {
      const isNews = clock.now() - Date.parse(until) < OUTAGE_TOLD_MS && lengthOf({ since, until }) >= OUTAGE_AFTER_MS;
      if (!isNews || name !== 'database writes') continue;
      const summary = `The database did not work for ${place} from ${since} to ${until}: ${detail}.`;
      found.push({ kind: 'database_unavailable', subject: place, summary });
    }
    const spool = lastingOutage('spool');
    if (spool !== undefined) {
      const summary = `Answers of engines cannot be written to the disk of ${place} since ${spool.since}: ${spool.detail}.`;
      found.push({ kind: 'spool_unavailable', subject: place, summary });
    }
    return found;
  }

  /**
   * Observes the storage. Many processes use one storage: they observe it together, so that its outage is one alert.
   */
  async function observeStorage(): Promise<void> {
    const { subject, scope } = options.storage;
    const outage = lastingOutage('storage');
    const summary = `The storage ${subject} has not worked at ${place} since ${outage?.since}: ${outage?.detail}.`;
    await record({ scope, found: outage === undefined ? [] : [{ kind: 'storage_unavailable', subject, summary }] });
  }

  /** Returns the milliseconds until a current outage is long enough to be reported; infinite if there is none. */
  function untilLongOutage(): number {
    const ages = process.outages().map(lengthOf);
    return Math.min(...ages.filter((age) => age < OUTAGE_AFTER_MS).map((age) => OUTAGE_AFTER_MS - Math.max(0, age)));
  }

  function lastingOutage(name: string): Outage | undefined {
    return process.outages().find((outage) => outage.name === name && lengthOf(outage) >= OUTAGE_AFTER_MS);
  }

  /** Returns the milliseconds that an outage has lasted. */
  function lengthOf({ since, until }: { readonly since: string; readonly until?: string }): number {
    return (until === undefined ? clock.now() : Date.parse(until)) - Date.parse(since);
  }

  async function observeService(): Promise<void> {
    const isTimeToAsk = askers.length > 0 && (await claimChore(store, 'balances', BALANCES_EVERY_MS));
    if (isTimeToAsk) await part('the balances at upstreams', () => fetchBalances(kernel, askers));
    const found: Condition[] = [];
    const unseen = new Set<AlertKind>();
    for (const sight of await findConditions(kernel, clock.now(), limits)) {
      health.record(sight.what, 'reason' in sight ? sight.reason : null, 'service');
      if ('found' in sight) {
        found.push(...sight.found);
        continue;
      }
      for (const kind of sight.kinds) unseen.add(kind);
      log.error({ what: sight.what, reason: sight.reason }, 'could not check for alerts; retrying');
    }
    await record({ scope: 'service', found: [...found, ...health.conditions('service')], unseen });
    await store.write('alerts_looked', (trx) => markChore(trx, LOOKED));
  }

  async function record(observed: Pick<Observation, 'scope' | 'found' | 'unseen'>): Promise<void> {
    if (observed.found.length === 0 && (await lastingAlerts(store.read)).length === 0) return;
    const { changes, faults } = await recordConditions(store, { ...observed, now: clock.now() });
    for (const { type, ...facts } of changes) {
      if (type === 'alert.ended') log.info(facts, 'alert ended');
      else log.warn(facts, 'alert began');
    }
    if (faults.length > 0) throw new Error(`could not record ${faults.join('; ')}`);
  }

  /** Writes the messages. A process without a receiver leaves them to one that has it. */
  async function sendMessages(): Promise<void> {
    const { receiver, repeatMs, publicUrl } = options;
    if (receiver === null) return;
    const now = clock.now();
    const { messages, faults } = await sendAlerts(store, { now, receiver, repeatMs, publicUrl });
    for (const { type, ...facts } of messages) if (type === 'alert.continues') log.warn(facts, 'alert continues');
    if (messages.length > 0) options.onMessages();
    if (faults.length > 0) throw new Error(`could not write messages about ${faults.join('; ')}`);
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
  const found: Condition[] = [];
  for (const directory of disk.directories) {
    // A directory that does not exist yet will be on the disk of its nearest existing parent.
    const device = (await stat(directory).catch(() => null))?.dev;
    if (device === undefined || seen.has(device)) continue;
    seen.add(device);
    const free = await readFreeSpace(directory);
    const subject = placeOf(disk.host, directory);
    const summary = `${Math.floor(free / MEGABYTE)} MB are free on the disk of ${subject}.`;
    if (free < disk.freeBytes) found.push({ kind: 'disk_nearly_full', subject, summary });
  }
  return found;
}
