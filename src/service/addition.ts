import type { Clock } from '@darkroom-service/contract';
import type { CatalogFile, Schema as FieldSchema } from '@darkroom-service/contract/catalog';
import type { Engine, PictureTools, UpstreamTools } from '@darkroom-service/engines';
import type { TrustedFetch } from '@darkroom-service/media';
import type { OpenCarrier } from '@darkroom-service/store';
import type { Command } from 'commander';
import type { Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Database, Session } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import type { Schema } from '../database/schema.ts';
import type { Chore } from '../erasure/chore.ts';
import type { HttpAddition } from '../http/http-options.ts';
import type { AddedGate } from '../queue/gates.ts';
import type { RouteFilter } from '../record/route-filter.ts';
import type { Answers, EngineLimits } from '../routing/engine-limits.ts';
import type { OwnedInstances } from '../routing/owned-instances.ts';
import type { Follower } from '../tasks/follower.ts';
import type { Interceptor } from '../tasks/interceptor.ts';
import type { ParentGate } from '../tasks/parent-gate.ts';
import type { TaskHooks } from '../tasks/task-hooks.ts';
import type { ReadDeliverTo } from '../tasks/task-services.ts';
import type { Tracer } from '../tasks/tracer.ts';
import type { AddedTempo } from './added-tempo.ts';
import type { AddedCheck, Audit } from './check.ts';
import type { Config } from './config/config.ts';
import type { Settings } from './config/settings.ts';
import type { FindBatch, Kernel, ServingKernel } from './kernel/kernel.ts';

/**
 * A feature that the core does not know. `src/additions/list.ts` lists all. Parts that only one role or one command
 * needs are loaded on demand.
 */
export interface Addition extends Pick<HttpAddition, 'pages'> {
  readonly name: string;
  /**
   * The addition's variables, which docs/configuration.md lists, and the settings read from them:
   * `config.of(settings)`. The variables of a disabled addition are still read.
   */
  readonly settings?: Settings;
  /**
   * Statements that create the addition's tables and their indexes, in the manner of
   * `src/database/migrations/initial.ts`. A table that is missing is created at the start; one that exists is not
   * altered.
   */
  readonly tables?: string;
  readonly hooks?: TaskHooks;
  /**
   * Schemes such as `https:` of addresses outside of this service. Orders may name files by these: the addition does
   * their work of the kind `references`, which stores the files and opens the gate of the order.
   */
  readonly sources?: readonly string[];
  /**
   * Addresses named by the core that its routes serve: those of tasks' events, the guide at `/docs`, or the console at
   * `/`. The core names only addresses that an addition serves.
   */
  readonly serves?: 'task_events' | 'docs' | 'console';
  /** Lets orders wait for others. At most one addition has it. */
  readonly parentGate?: ParentGate;
  /**
   * Fields that every order may have beside those of its model, by name, each with a JSON Schema of the keywords that
   * parameters of models may use. Their faults are reported with all others. A value is stored in the order's `input`:
   * it is shown and erased with it. Begin each name with that of the addition, so that no model has the same.
   * @example { stamp_text: { type: 'string', maxLength: 40, description: 'The words on the stamp.' } }
   */
  readonly fields?: Readonly<Record<string, FieldSchema & { readonly description?: string }>>;
  /**
   * Creates its chores, which one process at a time runs, also while the addition is disabled.
   * @param signal stops a chore between two portions of its work
   */
  readonly chores?: (kernel: Kernel, signal: AbortSignal) => readonly Chore[];
  /** Follower that is notified about the orders that name it. */
  readonly follower?: Follower;
  /**
   * Keeps orders from being claimed until `kernel.gates.open`, or their deadline. The addition cannot be disabled while
   * orders wait at its gate.
   */
  readonly gate?: AddedGate;
  /** Creates the reader of orders' `deliver_to`. At most one addition has it. */
  readonly deliverTo?: (config: Config, database: Pick<Database, 'read'>) => ReadDeliverTo;
  /** Finds batches of orders, for additions that show them. At most one addition has it. */
  readonly findBatch?: FindBatch;
  /**
   * Opens the tracer, which receives the parts of requests and orders; null = nothing is traced. Only one addition may.
   */
  readonly openTracer?: (traced: Traced, closers: AsyncDisposableStack) => Promise<Tracer | null>;
  /** Returns the work that must end before the addition can be disabled; null = none. */
  readonly findOpenWork?: (session: Session, question: OpenQuestion) => Promise<string | null>;
  /** @throws ConfigFault if settings do not go with the catalog */
  readonly checkSettings?: (config: Config, catalog: Catalog) => void;
  /** Adds commands. @param additions all additions of the service */
  readonly commands?: (program: Command, additions: readonly Addition[]) => void;
  /**
   * Opens a transport of notices between the processes of a PostgreSQL database, in place of the database; null = the
   * database carries them. Only one addition may.
   */
  readonly openNoticeTransport?: (config: Config) => OpenCarrier<Schema> | null;
  /** Opens parts that decide about the routes of orders, once the operator's engines are open. */
  readonly routes?: (parts: InstanceParts, closers: AsyncDisposableStack) => Promise<AddedRoutes>;
  /** Shares the limits of engines with other installations. Only one addition may. */
  readonly shareLimits?: (
    limits: EngineLimits,
    sharing: Sharing,
    closers: AsyncDisposableStack,
  ) => Promise<EngineLimits>;
  /** Opens the addition in a process, once the service is open. Not called while the addition is disabled. */
  readonly open?: (kernel: Kernel, closers: AsyncDisposableStack) => OpenAddition | Promise<OpenAddition>;
  readonly models?: (config: Config) => Promise<AddedModels>;
  /** Checks the addition's rows against those of the core, for `darkroom doctor --audit`. */
  readonly audit?: Audit;
  /** Checks of parts of the installation, for `darkroom doctor` and, with an interval, for `/readyz`. */
  readonly checks?: readonly AddedCheck[];
}

/** Work of an open addition in one process. */
export interface OpenAddition {
  /** Opens its routes, in a process that serves HTTP. */
  readonly http?: (kernel: ServingKernel) => Promise<HttpAddition>;
  /**
   * Opens its interceptor, which sees orders before and after their engines, in a process that works on orders; null =
   * none.
   */
  readonly judge?: () => Promise<Interceptor | null>;
  /** Starts the work that runs in every role. */
  readonly start?: () => Promise<void> | void;
}

/** The question whether an addition can be disabled now. */
export interface OpenQuestion {
  readonly now: number;
  readonly config: Config;
  /** The hooks of all additions. */
  readonly hooks: readonly TaskHooks[];
  /** Returns the id of a group of orders, such as a batch, of which some have no row yet; null = there is none. */
  readonly findUnplaced: () => Promise<string | null>;
}

/** The parts of the service that exist before the services of tasks are opened. */
export interface Traced {
  readonly config: Config;
  /** The id of this process. */
  readonly process: string;
  readonly database: Pick<Database, 'read' | 'kind'>;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly log: Log;
}

/** Parts of an addition that decide about the routes of orders. */
export interface AddedRoutes {
  /** Engines that belong to accounts. Orders, prices and limits work as for all engines. */
  readonly instances?: OwnedInstances;
  /** The rules that orders carry, and which routes they exclude. Only one addition may have it. */
  readonly filter?: RouteFilter;
}

/** The parts of the service that exist when the operator's engines are open. */
export interface InstanceParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  /** Tools of the engines that call upstreams. */
  readonly tools: UpstreamTools;
  readonly startRefresh: StartRefresh;
}

/** The parts of the service that exist when the limits of engines are open. */
export interface Sharing {
  readonly config: Config;
  readonly database: Pick<Database, 'kind' | 'read' | 'writeAside'>;
  /** The operator's engines. */
  readonly engines: ReadonlyMap<string, Engine>;
  readonly log: Log;
  readonly startRefresh: StartRefresh;
  readonly tempo: AddedTempo;
  /** Answers of upstreams whose limits are shared. */
  readonly answers: Answers;
  /**
   * Counts the orders of a queue that use slots, including those that a process may claim by now, and those that wait.
   */
  readonly countOrders: (queue: string, most: number) => Promise<{ readonly taken: number; readonly waiting: number }>;
}

/** Models that are in no file of the catalog, and the engine that makes them. */
export interface AddedModels {
  /** The engine's name. */
  readonly engine: string;
  readEntries(): Promise<CatalogFile>;
  openEngines(tools: AddedTools, closers: AsyncDisposableStack): Promise<Engine[]>;
}

/** Parts of the service for the engines of models that an addition adds. */
export interface AddedTools {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
  readonly temporaryDirectory: string;
  /** Id of this process. */
  readonly process: string;
  /** Reloads the catalog. Called when the models have changed. */
  readonly reloadCatalog: () => Promise<void>;
}

/** Returns the statements that create the tables of all additions. */
export function tablesOf(additions: readonly Addition[] = []): string[] {
  return additions.flatMap(({ tables }) => tables ?? []);
}
