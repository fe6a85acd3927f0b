import type { Clock, JsonValue, Micros } from '@darkroom-service/contract';
import type { ParameterCheck, Schema } from '@darkroom-service/contract/catalog';
import type { TaskFailure } from '@darkroom-service/engines';
import type { MediaTools, References, Storage } from '@darkroom-service/media';
import type { Budgets } from '../accounts/budgets.ts';
import type { EntryIds } from '../accounts/entry-ids.ts';
import type { RecentBalances } from '../accounts/recent-balances.ts';
import type { StorageLimits } from '../accounts/stored-bytes.ts';
import type { Log } from '../base/log.ts';
import type { Vault } from '../base/vault.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Terms } from '../catalog/pricing/terms.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { AssignedGate } from '../queue/gates.ts';
import type { ImmediateSlots } from '../queue/queue-state.ts';
import type { WaitingCounts } from '../queue/waiting-counts.ts';
import type { OrderTimes } from '../record/order-times.ts';
import type { Route, Routing } from '../record/route.ts';
import type { StoredOutput, TaskRow } from '../record/task.ts';
import type { BEGUN_COLUMNS } from '../record/task-columns.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskEvents } from './events/task-events.ts';
import type { FileSigner } from './file-signer.ts';
import type { FollowerServices } from './follower.ts';
import type { ParentGate } from './parent-gate.ts';
import type { TaskFigures } from './task-figures.ts';
import type { TaskHooks } from './task-hooks.ts';
import type { Tracer } from './tracer.ts';

/** The dependencies of all operations on tasks. The service creates them once. */
export interface TaskServices extends FollowerServices {
  readonly database: Database;
  readonly clock: Clock;
  /** Returns the current catalog, which may be replaced while the service runs. */
  readonly catalog: () => Catalog;
  readonly routing: Routing;
  /** The use of this process's budgets by each API key. */
  readonly budgets: Budgets;
  readonly queueDepths: WaitingCounts;
  readonly balances: RecentBalances;
  readonly storage: Storage;
  readonly media: MediaTools;
  readonly references: References;
  readonly thumbnails: Thumbnails;
  readonly signer: FileSigner;
  readonly entryIds: EntryIds;
  readonly events: TaskEvents<TaskEnd>;
  readonly typicalSeconds: TypicalSeconds;
  readonly settings: TaskSettings;
  /** Returns the worker of this process, for orders that begin when they are placed; null if it has none. */
  readonly immediateStart: () => ImmediateStart | null;
  /** Tells the runner that there may be tasks to claim. */
  readonly wakeRunner: () => void;
  /** Tells the runner that an order has ended, so that one that waits may have room. */
  readonly roomLeft: () => void;
  /** Tells the process that has the lease of a task that a cancel was requested; null = the process is not known. */
  readonly cancelRequested: (taskId: string, worker: string | null) => void;
  /**
   * Tells the runner of this process that an engine's upstream called about a task.
   * @returns whether it holds the task
   */
  readonly calledBack: (taskId: string, engine: string) => boolean;
  /** Tells the process that has the lease of a task that an engine's upstream called about it. */
  readonly announceCall: (call: { readonly worker: string; readonly taskId: string; readonly engine: string }) => void;
  /** Reads `deliver_to` of orders; null = no addition does that. */
  readonly readDeliverTo: ReadDeliverTo | null;
  /**
   * Gate for orders that wait for others; null = no addition has it, and orders that would have to wait are refused.
   */
  readonly parentGate: ParentGate | null;
  /** The gates that enabled additions add. */
  readonly gates: readonly AssignedGate[];
  /** The fields that additions add to orders, by name. */
  readonly fields: AddedFields;
  /** The hooks of all additions, in the order of their list. */
  readonly hooks: readonly TaskHooks[];
  readonly obstacles: Obstacles;
  readonly figures: TaskFigures;
  readonly tracer: Tracer;
  readonly log: Log;
}

/** Fields of orders beside those of models, each with the check of its values. */
export type AddedFields = ReadonlyMap<string, { readonly schema: Schema; readonly check: ParameterCheck }>;

/** Begins orders in the transaction that places them. */
export interface ImmediateStart {
  /** Returns the slots of a queue if this process may begin an order in one now; null = it must wait to be claimed. */
  slotsFor(order: { readonly route: Route; readonly queue: string }): ImmediateSlots | null;
  /**
   * Takes a slot for an order that needs no preparation.
   * @returns the columns that its row has as `submitting`; null if it must wait to be claimed
   */
  take(
    trx: Transaction,
    order: { readonly id: string; readonly queue: string; readonly slots: ImmediateSlots; readonly deadlineAt: number },
  ): Promise<BegunColumns | null>;
  /** Makes a stop of the worker wait for the transaction of so many orders. @returns the same promise */
  during<Placed>(placement: Promise<Placed>, orders: number): Promise<Placed>;
  /** Calls the engine. To be called once the order is on disk. */
  begin(task: TaskRecord): void;
}

type BegunColumns = Pick<TaskRow, (typeof BEGUN_COLUMNS)[number]>;

/**
 * Returns the stored form of an order's `deliver_to`, or its faults.
 * @returns the text that the task of an order with such a `deliver_to` stores, or the fault
 */
export type ReadDeliverTo = (
  value: JsonValue,
  owner: { readonly accountId: string; readonly isBatch: boolean },
) => Promise<{ readonly stored: string } | { readonly fault: string }>;

/** End of a task, as its settlement wrote it. */
export interface TaskEnd {
  readonly outputs: readonly StoredOutput[];
  /** The failure; null unless the task failed. */
  readonly failure: TaskFailure | null;
  readonly charged: Micros;
  readonly completedAt: number;
  /** Whether its engine kept data for follow-up actions. */
  readonly isKept: boolean;
  /** Further columns of its row from the settlement on; null in `lines_json`: unchanged. */
  readonly status: TaskRow['status'];
  readonly revision: number;
  readonly progress: number;
  readonly error_json: string | null;
  readonly lines_json: string | null;
  readonly warnings_json: string | null;
}

/** Thumbnails of pictures, each made at its first request. */
export interface Thumbnails {
  /**
   * Makes a thumbnail that is not in storage. Concurrent calls share one attempt, and each API key has few turns.
   * @returns null if the key is not that of a thumbnail of a living picture
   * @throws ServiceError `not_found` if the picture does not decode, which is reported to the operator once, and
   * `service_unavailable` if it takes longer than a request waits; StorageError
   */
  make(key: string): Promise<{ readonly bytes: number } | null>;
  /**
   * Makes the thumbnail of an output unless it exists.
   * @returns whether the output decodes, as far as this inexpensive check can tell
   * @throws StorageError
   */
  prove(output: StoredOutput): Promise<boolean>;
}

/** Obstacles that may stop the progress of all tasks. */
interface Obstacles {
  /** Whether no order is sent. */
  readonly isSuspended: () => boolean;
  /**
   * Returns the time when the database was copied, in ms since 1970, while the copy is held: its original may have
   * continued every older order, so none of them ends here. Null = no copy, or released.
   */
  readonly copiedAt: () => number | null;
  /** Returns the time since which no order is sent, in ms since 1970; null = orders are sent. */
  readonly heldSince: () => number | null;
  /** Returns the time since which this process cannot store files, in ms since 1970; null = it can. */
  readonly storageAwaySince: () => number | null;
  /** Whether certainly no process works on orders. */
  readonly hasNoWorker: () => boolean;
  /** Whether the disk of each worker refuses the data that it would have to keep of this engine's answer. */
  readonly isSpoolAway: (engine: string) => boolean;
}

export interface TaskSettings extends OrderTimes {
  /** The public URL without a slash at the end. */
  readonly publicUrl: string;
  /** Public URL; null if it is only a guess, since the service listens on all addresses and has no URL set. */
  readonly knownUrl: string | null;
  /** Base URL of signed file URLs, and the maximum age of files in its cache. */
  readonly cdn: { readonly url: string; readonly maxAgeSeconds: number } | null;
  readonly retentionMs: number;
  /** Time after its end for which a task keeps its row; null = for ever. */
  readonly taskMs: number | null;
  /** Retention of an entry of the audit log, in milliseconds. */
  readonly auditMs: number;
  /** An order that is refused or blocked longer than this moves to its next route. */
  readonly routePatienceMs: number;
  /** A refused order without another route fails after this time. */
  readonly upstreamWaitMs: number;
  /** The price of an order at an engine of its account: micro-dollars, and a share of the catalog's price. */
  readonly instanceFee: { readonly amount: Micros; readonly share: string };
  /** The operator's charges and costs beside those of the catalog. */
  readonly terms: Terms;
  /** The settings that set up the operator's engines, by kind. */
  readonly switches: Readonly<Record<string, string>>;
  /** The only engines for live orders (`DARKROOM_ENGINES`); null = any. */
  readonly liveEngines: readonly string[] | null;
  readonly maxDataUriBytes: number;
  /** Vault that seals and opens customers' secrets; null = the operator has set no key, so nothing can be sealed. */
  readonly vault: Vault | null;
  /** Limits on the bytes of stored input files. */
  readonly storageLimits: StorageLimits;
  /** The directory of temporary files. */
  readonly temporaryDirectory: string;
  /** The schemes, such as `https:`, of addresses outside of this service whose files are fetched for orders. */
  readonly sources: ReadonlySet<string>;
  /** Private address ranges that references may point to. */
  readonly allowedAddresses: readonly string[];
  /** Whether tasks have a URL of their events. */
  readonly showsEvents: boolean;
  /** Private address ranges that webhooks may reach; null = this service sends none. */
  readonly webhookAddresses: readonly string[] | null;
}

/** Typical durations of a model's finished tasks in seconds, measured by this service; null until there are enough. */
export interface TypicalSeconds {
  of(modelId: string, mode: 'live' | 'test'): { readonly p50: number; readonly p80: number } | null;
}
