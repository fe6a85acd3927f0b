import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CheckResult, Micros, TaskView } from '@darkroom-service/contract';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RawServerDefault,
} from 'fastify';
import type { Registry } from 'prom-client';
import type { TSchema } from 'typebox';
import type { ApiKey, OrderingKey } from '../accounts/api-key.ts';
import type { Grant } from '../accounts/grant.ts';
import type { Keyring } from '../accounts/keyring.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { Log } from '../base/log.ts';
import type { Vault } from '../base/vault.ts';
import type { Session } from '../database/database.ts';
import type { Hold } from '../installation/operated-hold.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { NamedOrders } from '../views/find-tasks.ts';
import type { TaskListQuery } from '../views/list-tasks.ts';
import type { TaskSource } from '../views/task-range.ts';
import type { BodyPace } from './bodies/body-pace.ts';
import type { Packed } from './bodies/packed.ts';
import type { KeyPlaces } from './connection/door-keys.ts';
import type { TakeKeyTurn } from './connection/key-turns.ts';
import type { RequestLog } from './connection/log-requests.ts';
import type { RunningHandler } from './connection/watch-handlers.ts';
import type { OpenApiDocument } from './docs/openapi-document.ts';
import type { Operation } from './docs/operation.ts';
import type { KnownRoutes } from './known-routes.ts';
import type { ServicesFor } from './linked-services.ts';
import type { OpenWaits } from './tasks/open-waits.ts';

/** A Fastify instance whose handlers get their types from TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A page of `docs/` that a running service shows. */
export interface GuidePage {
  readonly name: string;
  readonly title: string;
}

/** The routes, pages and hooks that an addition adds to the interface. */
export interface HttpAddition {
  /** Adds hooks to every request, before routes are registered. */
  readonly everyRequest?: (app: FastifyInstance) => void;
  /** Routes that need no key. */
  readonly open?: (app: App, options: HttpOptions, tools: RouteTools) => Promise<void> | void;
  /** Routes of customers, behind the check of their key. */
  readonly v1?: (v1: App, options: HttpOptions, tools: RouteTools) => Promise<void> | void;
  /** Routes of operators, behind the check of their key. */
  readonly admin?: (admin: App, options: HttpOptions, tools: RouteTools) => void;
  /**
   * Returns marks that change with the data, for `changed` of `GET /admin/v1/events`; read at each change of the
   * database.
   */
  readonly marks?: (session: Session) => Promise<unknown>;
  /** A further way in which the operators' search finds orders. */
  readonly namedOrders?: NamedOrders;
  /** A further event of `GET /admin/v1/events`. `watch` calls its listener soon, then at most once a second. */
  readonly operatorEvent?: { readonly name: string; readonly watch: (listener: () => void) => () => void };
  /** Mounts a scope of its own, without a check of keys. */
  readonly mount?: (scope: App, mounting: Mounting) => Promise<void> | void;
  /**
   * Paths of its scope that pages with client tokens may call, each with a slash at the end, and the places where
   * clients of that dialect send their key.
   */
  readonly doors?: Readonly<Record<string, KeyPlaces>>;
  /** Suggests an address for one that does not exist or takes other methods; null = nothing similar. */
  readonly hintFor?: (path: string) => string | null;
  /** Pages of the guide in `docs/`, each shown behind another one. */
  readonly pages?: readonly (GuidePage & {
    readonly behind: string;
    /** Earlier pages whose content it has: the new address of each, relative to `/docs/`. */
    readonly moved?: Readonly<Record<string, string>>;
  })[];
  /** The texts of its operations, by method and path. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /**
   * Paths of the document. Its operations that come later and whose path begins like one of these are shown after it,
   * not at the end of their scope.
   */
  readonly behind?: readonly string[];
  /** Name of its part of the document, and that part's description. */
  readonly section?: readonly [name: string, description: string];
  /** The named schemas of the document, each with its example. */
  readonly components?: readonly TSchema[];
  readonly lists?: TaskListAddition;
  /** Judges callers with a grant that is not a person's. Without such an addition they may call nothing. */
  readonly callers?: Callers;
  /** Records a request that carries an admin key, and not the bearer of a person. */
  readonly adminKeyUsed?: (key: ApiKey) => void;
}

/** Checks of callers to whom an addition gives a part of a key's rights. */
export interface Callers {
  /** Admits a request before its body is read. @throws ServiceError `forbidden` */
  readonly check: (request: FastifyRequest, grant: Grant, mode: ApiKey['mode']) => void;
  /**
   * Answers the CORS requests of their pages' browsers, before the rules of the operator's own origins apply.
   * `exposedHeaders` are the headers of answers that pages may read.
   */
  readonly answerPages: (options: HttpOptions, exposedHeaders: readonly string[]) => onRequestHookHandler;
}

/** The parts that routes of additions share with those of the core. */
export interface RouteTools {
  /** Holds back requests without a key if there are too many. */
  readonly takeTurn: onRequestHookHandler;
  /** The requests that last until something happens; a stop of the service ends them. */
  readonly waits: OpenWaits;
  /** Packs a text that names the public URL, for the URL that the answer to each request links to. */
  readonly packLinked: (text: string) => (request: FastifyRequest) => Packed;
  /** Returns the OpenAPI document of the interface. */
  readonly document: () => Promise<OpenApiDocument>;
  /** The parts of the interface that additions bring. */
  readonly additions: readonly HttpAddition[];
  /** Tells whether the caller of a request may call an operation, such as `POST /admin/v1/exports`. */
  readonly mayCall: (request: FastifyRequest, operation: string) => boolean;
  /** Pages of the guide that additions bring. */
  readonly pages: NonNullable<HttpAddition['pages']>;
}

/** Parts that an addition needs to answer requests by itself. */
interface Mounting {
  readonly options: HttpOptions;
  /** Answers further requests within the process. */
  readonly app: App;
  readonly answers: Pick<HttpOptions, 'services' | 'servicesFor'> & { readonly waits: OpenWaits };
  readonly routes: KnownRoutes;
}

/** An addition's changes to lists of tasks. */
export interface TaskListAddition {
  /** The parameters that it reads. */
  readonly query: Readonly<Record<string, TSchema>>;
  /** Parameter after which the document shows its own; absent = the last one. */
  readonly behind?: string;
  /** Returns the source of a list's tasks, which its other filters then narrow; null = all tasks of the key. */
  readonly source?: (query: object) => TaskSource | null;
  /** Adds to the tasks of a page. */
  readonly show?: (query: object, read: Session, tasks: readonly TaskView[]) => Promise<readonly TaskView[]>;
  /**
   * Returns the function that finds the tasks of a page instead of the list; null = the request does not ask for it.
   * Reports faults of parameters by `fault`. `pager` is the parameter that the list is paged by.
   */
  readonly find?: (
    query: object,
    pager: 'offset' | 'page',
    fault: (param: string, message: string) => void,
  ) => FindTasks | null;
}

/** Finds the tasks of a page. `nextAfter` is the id after which the next page begins; null = it is the last. */
export type FindTasks = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery,
) => Promise<{ readonly items: readonly TaskView[]; readonly nextAfter: string | null }>;

/** The parts of the HTTP interface; the composition root joins them. */
export interface HttpOptions {
  readonly additions: readonly HttpAddition[];
  readonly services: TaskServices;
  /** Returns the services for an answer. They link to the host of the request if there is no public URL. */
  readonly servicesFor: ServicesFor;
  readonly keyring: Keyring;
  readonly rateLimits: RateLimits;
  readonly takeKeyTurn: TakeKeyTurn;
  /** Limits the speed at which the bodies of each key are read. */
  readonly bodyPace: BodyPace;
  /** Whether orders and webhooks are sent. */
  readonly hold: Hold;
  /** Public URL without a slash at the end; may have a path, which requests may include or omit. */
  readonly publicUrl: string;
  /** The address of the guide; null = no addition serves one. */
  readonly docsUrl: string | null;
  /** Whether `X-Forwarded-*` is trusted, and from which addresses, in Fastify's form. */
  readonly trustProxy: boolean | number | readonly string[];
  /** Origins whose pages may call; `*` for any; empty = none. */
  readonly corsOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  /**
   * Micro-dollars above which a person must agree to an order through MCP, unless the key says otherwise; null = never.
   */
  readonly approveOver: Micros | null;
  /** A secret of the installation, the same in each of its processes. */
  readonly secretOf: (name: string) => Promise<string>;
  /** Opens the operator's vault, or one with that secret if the operator has set no key. */
  readonly vaultOf: (name: string) => Promise<Vault>;
  /** Whether `/v1/catalog` omits models that cannot be ordered live. */
  readonly hideUnavailable: boolean;
  /** Checks the readiness. `probeEngines` waits for the engines' probes, which call their upstreams. */
  readonly readiness: (options?: { readonly probeEngines?: boolean }) => Promise<ReadinessReport>;
  readonly metrics: Registry;
  /** The record of the running request, for the watchdog; absent = none. */
  readonly running?: RunningHandler | undefined;
  readonly log: Log;
  /** The answers that are logged; absent = none. */
  readonly logRequests?: RequestLog;
  /** True once a stop is announced: `/readyz` fails, and all requests are still answered. */
  readonly isLeaving: () => boolean;
  /** True once orders are refused because of a stop. */
  readonly isStopping: () => boolean;
  /**
   * Timeouts in milliseconds: for a request to arrive (default 5 minutes), for its headers (default 30 s), and for a
   * caller that reads nothing of an answer (default 2 minutes).
   */
  readonly arrival?: { readonly requestMs?: number; readonly headersMs?: number; readonly unreadMs?: number };
}

export interface ReadinessReport {
  /** Whether any of the capabilities below is there, and this process can write where orders will write. */
  readonly ready: boolean;
  /** Creates without media, cancels, keys: the database can be read and written. */
  readonly orders: boolean;
  /** Tasks, lists, prices, the catalog: the database can be read. */
  readonly reads: boolean;
  /** Uploads, downloads and orders with media: the storage and the disk for temporary files work as well. */
  readonly files: boolean;
  readonly checks: readonly CheckResult[];
}
