import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { startWorkLoop } from '../base/work-loop.ts';
import { claimChore } from '../database/claim-chore.ts';
import type { Database } from '../database/database.ts';
import type { AlertReceiver } from './alert-messages.ts';
import { askBalances, type BalanceAsker } from './ask-balances.ts';
import type { Condition } from './condition.ts';
import { findDiskCondition } from './disk-condition.ts';
import { type ConditionLimits, findConditions } from './find-conditions.ts';
import { lastingAlerts, recordConditions } from './record-conditions.ts';

/** Observes the service and its disk, and records alerts. */
export interface AlertWatch {
  stop(): Promise<void>;
}

export interface AlertWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly createId: (prefix: string) => string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly limits: ConditionLimits;
  readonly disk: { readonly directory: string; readonly host: string; readonly freeBytes: number };
  readonly repeatMs: number;
  readonly askers: readonly BalanceAsker[];
  readonly receivers: readonly AlertReceiver[];
  readonly everyMs?: number | undefined;
  /** Called when there may be messages to send. */
  readonly onMessages: () => void;
}

const EVERY_MS = 60_000;
const BALANCES_EVERY_MS = 15 * 60_000;

/** Each process observes its own disk; one process at a time observes what concerns all. */
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
    receivers,
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
    await record(`disk:${disk.host}:${disk.directory}`, await findDiskCondition(disk));
  }

  async function observeService(): Promise<void> {
    const isTimeToAsk = askers.length > 0 && (await claimChore(database, 'balances', BALANCES_EVERY_MS));
    if (isTimeToAsk) await askBalances({ database, clock, log }, askers);
    await record('service', await findConditions(database, clock.now(), limits));
  }

  async function record(scope: string, found: readonly Condition[]): Promise<void> {
    if (found.length === 0 && (await lastingAlerts(database.read)).length === 0) return;
    const observation = { scope, found, now: clock.now(), repeatMs, receivers, publicUrl, createId };
    const changes = await database.write('alerts', (trx) => recordConditions(trx, observation));
    for (const { type, ...facts } of changes) {
      if (type === 'alert.ended') log.info(facts, 'alert ended');
      else log.warn(facts, type === 'alert.began' ? 'alert began' : 'alert continues');
    }
    if (changes.length > 0) options.onMessages();
  }
}
