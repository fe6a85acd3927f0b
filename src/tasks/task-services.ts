import type { Budgets } from '../accounts/budgets.ts';
import type { EntryIds } from '../accounts/entry-ids.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Database } from '../database/database.ts';
import type { TaskEvents } from '../events/task-events.ts';
import type { MediaTools } from '../media/media-tools.ts';
import type { References } from '../media/references.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileSigner } from './file-signer.ts';
import type { Routing } from './route.ts';
import type { TaskFigures } from './task-figures.ts';

/** What the operations on tasks need, joined once by the service and handed to each of them. */
export interface TaskServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly createId: (prefix: string) => string;
  /** The catalog in force; it may be replaced while the service runs. */
  readonly catalog: () => Catalog;
  readonly routing: Routing;
  /** How much of this process each API key uses. */
  readonly budgets: Budgets;
  readonly storage: Storage;
  readonly media: MediaTools;
  readonly references: References;
  readonly signer: FileSigner;
  readonly entryIds: EntryIds;
  readonly events: TaskEvents;
  readonly typicalSeconds: TypicalSeconds;
  readonly settings: TaskSettings;
  /** Tells the runner that there is something to claim. */
  readonly wakeRunner: () => void;
  /** Tells who fetches references that there are some to fetch. */
  readonly wakeFetcher: () => void;
  /** Tells the runner, if it holds the task, that someone wishes it canceled. */
  readonly cancelRequested: (taskId: string) => void;
  /** Tells the sender of webhooks that there is one to send. */
  readonly wakeWebhooks: () => void;
  readonly figures: TaskFigures;
  readonly log: Log;
}

export interface TaskSettings {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly retentionMs: number;
  readonly hardDeadlineMs: number;
  /** Soft deadline: the least time without progress after which a task is asked more rarely. */
  readonly softDeadlineMs: number;
  /** An order that is refused or held for longer goes on to its next route. */
  readonly routePatienceMs: number;
  /** An order that was refused, and has no other route, fails after this time. */
  readonly upstreamWaitMs: number;
  readonly maxDataUriBytes: number;
  /** Bytes of input files that one API key may store; null = no limit. */
  readonly storedBytesPerKey: number | null;
  /** Where files lie while they are looked at. */
  readonly temporaryDirectory: string;
  /** Address ranges that references may point to although they are private. */
  readonly allowedAddresses: readonly string[];
}

/** How long finished tasks of a model took, in seconds, measured by this service; null until there are enough. */
export interface TypicalSeconds {
  of(modelId: string, mode: 'live' | 'test'): { readonly p50: number; readonly p80: number } | null;
}
