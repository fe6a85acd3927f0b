import type { Clock } from '../base/clock.ts';
import type { Fault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import type { Database } from '../database/database.ts';
import type { OrderRoute } from '../engines/engine.ts';
import type { TaskEvents } from '../events/task-events.ts';
import type { References } from '../media/references.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileSigner } from './file-signer.ts';
import type { TaskFigures } from './task-metrics.ts';

/** What the operations on tasks need, joined once by the service and handed to each of them. */
export interface Desk {
  readonly database: Database;
  readonly clock: Clock;
  readonly createId: (prefix: string) => string;
  /** The catalog in force; it may be replaced while the service runs. */
  readonly catalog: () => Catalog;
  readonly routing: Routing;
  readonly storage: Storage;
  readonly references: References;
  readonly signer: FileSigner;
  readonly events: TaskEvents;
  readonly typicalSeconds: TypicalSeconds;
  readonly settings: DeskSettings;
  /** Tells the runner that there is something to claim. */
  readonly wakeRunner: () => void;
  /** Tells the runner, if it holds the task, that someone wishes it canceled. */
  readonly cancelRequested: (taskId: string) => void;
  /** Tells the sender of webhooks that there is one to send. */
  readonly wakeWebhooks: () => void;
  readonly figures: TaskFigures;
  readonly log: Log;
}

export interface DeskSettings {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly retentionMs: number;
  readonly hardDeadlineMs: number;
  /** Soft deadline: the least time without progress after which a task is asked more rarely. */
  readonly softDeadlineMs: number;
  readonly maxDataUriBytes: number;
  /** Where files lie while they are looked at. */
  readonly temporaryDirectory: string;
  /** Address ranges that references may point to although they are private. */
  readonly allowedAddresses: readonly string[];
}

/**
 * What a new order can expect of an engine: `ready`; `held` = its upstream asked for a pause; `interrupted` = its upstream fails, orders wait;
 * `refusing` = its upstream wants another key or money, orders are not taken; `paused` by the operator.
 */
export type EngineStanding = 'ready' | 'held' | 'interrupted' | 'refusing' | 'paused';

/** Which engine makes a model's orders. */
export interface Routing {
  standing(engine: string): EngineStanding;
  /** How long an engine whose circuit is open still gets no orders, in seconds; 0 = it gets some. */
  secondsToTrial(engine: string): number;
  /** Null when no route of the model is configured for live orders. Test orders always have the built-in engine. */
  route(model: Model, mode: 'live' | 'test'): Route | null;
  /**
   * The first configured route that can say all of the request, of those whose engines stand best; where there is none, what the nearest
   * one cannot say.
   * @param keepTo the only engine that can make it
   */
  routeFor(
    model: Model,
    mode: 'live' | 'test',
    request: ResolvedRequest,
    keepTo?: string | null,
  ): { readonly route: Route | null; readonly faults: readonly Fault[] };
  /** Where a live order goes that its upstream certainly did not take: a route that was not tried; null = there is none. */
  nextRoute(
    model: Model,
    request: ResolvedRequest,
    wish: {
      readonly tried: readonly Pick<OrderRoute, 'engine' | 'model'>[];
      readonly keepTo: string | null;
      /** How its engine must stand. */
      readonly standings: readonly EngineStanding[];
      /** An engine that it cannot go to, with any of its models. */
      readonly notAt: string | null;
    },
  ): Route | null;
  /** Engines and models that an operator has paused; read from the database at most a second ago. */
  isPaused(kind: 'engine' | 'model', name: string): boolean;
  /** Whether the engine can stop what it has begun. */
  canCancel(engine: string): boolean;
}

/** Frozen on the task. */
export interface Route extends OrderRoute {
  /** Where the order was before, in that order: it certainly was not taken there, and does not go there again. */
  readonly tried?: readonly TriedRoute[];
}

export interface TriedRoute {
  readonly engine: string;
  readonly model: string | null;
  /** Why it went on. */
  readonly reason: string;
}

/** How long finished tasks of a model took, in seconds, measured by this service; null until there are enough. */
export interface TypicalSeconds {
  of(modelId: string, mode: 'live' | 'test'): { readonly p50: number; readonly p80: number } | null;
}
