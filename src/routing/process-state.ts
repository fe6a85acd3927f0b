import type { Clock } from '@darkroom-service/contract';
import type { PricedEngine } from '@darkroom-service/contract/catalog';
import { HEARTBEAT_TEMPO } from '@darkroom-service/store';
import type { Database } from '../database/database.ts';
import { listPeers, type Peer, type ProcessFacts, type RefusedKey } from '../database/process-facts.ts';
import type { StartRefresh } from '../database/refresh.ts';

/** Facts that this process knows by its own settings, and the differences to the settings of other processes. */
export interface ProcessState {
  /** Returns the time and the reason of an upstream's refusal of this process's key, while others use another key. */
  refusedKey(engine: string): RefusedKey | null;
  /**
   * Reports that an upstream refuses the key of this process.
   * @returns whether that concerns this process alone: a worker with another key continues
   */
  keyRefused(engine: string, reason: string): Promise<boolean>;
  /** Reports that the key may be tried again. */
  tryKey(engine: string): void;
  /** Returns the number of other workers with another key, as far as is known. */
  withOtherKey(engine: string): number;
  /** Tells whether another worker may have an engine that this process lacks. */
  isElsewhere(engine: string): boolean;
  /** Reports that this process has reached the storage. */
  stored(): void;
  /** Tells whether this process has never reached the storage, and another worker has. */
  isCutOff(): boolean;
  /** Returns the lowest spend limit of all workers for an engine; null = no worker has one. */
  spendLimit(engine: string, period: 'day' | 'month'): number | null;
  /**
   * Returns the engines of the running workers whose costs count for prices, in the same array until they change. All
   * processes return the same ones. While no worker runs: those of this process.
   */
  priced(): readonly PricedEngine[];
  /** Returns the facts published by the running processes, including this one. */
  all(): readonly Peer[];
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 2_000;

/** Opens the facts of this process. @param options.publish receives the facts as JSON whenever they change */
export async function openProcessState(options: {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly process: Omit<Peer, 'facts'>;
  /** Returns the names of the engines that this process has now. */
  readonly engines: () => readonly string[];
  readonly keys: ProcessFacts['keys'];
  readonly spendLimits: ProcessFacts['spendLimits'];
  readonly priced: readonly PricedEngine[];
  readonly storage: ProcessFacts['storage'];
  /** Returns the name of the setting that has the key of an engine. */
  readonly settingOf: (engine: string) => string;
  readonly publish: (facts: string) => void;
  readonly startRefresh: StartRefresh;
}): Promise<ProcessState> {
  const { database, clock, keys, spendLimits, priced, storage } = options;
  const refused: Record<string, RefusedKey> = {};
  let hasStored = false;
  let peers: readonly Peer[] = [];
  const isWorker = options.process.role !== 'api';
  const workers = () => peers.filter(({ role }) => role !== 'api');
  let shared = joined([priced]);
  const own = (): ProcessFacts => ({
    engines: options.engines(),
    keys,
    refused,
    spendLimits,
    priced,
    storage,
    hasStored,
  });
  const publish = () => options.publish(JSON.stringify(own()));
  publish();
  const refresh = await options.startRefresh('processes', LOOK_EVERY_MS, async () => {
    peers = await listPeers(database.read, options.process.id, HEARTBEAT_TEMPO.leaseMs);
    const found = joined([...(isWorker ? [priced] : []), ...workers().flatMap(({ facts }) => [facts?.priced ?? []])]);
    const next = found.length === 0 ? joined([priced]) : found;
    if (JSON.stringify(next) !== JSON.stringify(shared)) shared = next;
  });
  const others = (engine: string) =>
    workers().filter(({ facts }) => facts?.keys[engine] !== undefined && facts.keys[engine] !== keys[engine]);

  return {
    refusedKey: (engine) => refused[engine] ?? null,
    async keyRefused(engine, reason) {
      await refresh.now();
      const goesOn = others(engine).some(({ facts }) => facts?.refused[engine] === undefined);
      if (keys[engine] === undefined || !goesOn) return false;
      refused[engine] ??= { since: clock.now(), reason, setting: options.settingOf(engine) };
      publish();
      return true;
    },
    tryKey(engine) {
      if (refused[engine] === undefined) return;
      delete refused[engine];
      publish();
    },
    withOtherKey: (engine) => others(engine).length,
    isElsewhere: (engine) => workers().some(({ facts }) => facts?.engines.includes(engine) !== false),
    stored() {
      if (hasStored) return;
      hasStored = true;
      publish();
    },
    isCutOff: () => !hasStored && workers().some(({ facts }) => facts?.hasStored === true),
    spendLimit(engine, period) {
      const limits = [spendLimits, ...workers().map(({ facts }) => facts?.spendLimits ?? {})];
      const known = limits.flatMap((one) => one[engine]?.[period] ?? []);
      return known.length === 0 ? null : Math.min(...known);
    },
    priced: () => shared,
    all: () => [...peers, { ...options.process, facts: own() }],
    stop: refresh.stop,
  };
}

/** Joins the engines of several processes, each once, in an order that does not depend on the process. */
function joined(lists: readonly (readonly PricedEngine[])[]): readonly PricedEngine[] {
  const byText = new Map(lists.flat().map((engine) => [JSON.stringify(engine), engine]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, engine]) => engine);
}
