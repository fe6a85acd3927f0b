import type { Readable } from 'node:stream';
import { cleanText, type JsonObject, type JsonValue, type TASK_FAILURE_CODES } from '@darkroom-service/contract';
import type { ResolvedRequest, RouteMap } from '@darkroom-service/contract/catalog';
import type { Callback, CallbackNews } from './callback.ts';
import type { EngineInstance } from './instance.ts';
import type { ListedModels } from './listed-models.ts';
import type { Probed, ReadBalance } from './probed.ts';
import type { ReportedCost } from './reported-cost.ts';
import type { Simulate } from './simulate.ts';
import type { UnreadAnswer } from './unread-answer.ts';

/**
 * An upstream's treatment of a second submission of one order, or its way to find the first. It decides the fate of an
 * order whose submission was interrupted:
 * - `replays`: the same task id and route return the first submission, for at least 24 hours. It is submitted again.
 * - `refuses_duplicates`: a second submission with the same task id is refused. The order is submitted again; `start`
 *   then returns the operation of the first one, or throws with `took: 'yes'` if it cannot tell which one that is.
 * - `findable`: `find` tells whether the upstream has the order. It is asked again until the order's hard deadline, and
 *   the order is never submitted twice.
 * - `none`: nobody can know. The order ends as `outcome_unknown`.
 */
export type Idempotency = 'replays' | 'refuses_duplicates' | 'findable' | 'none';

/**
 * The contract of an engine: two short calls, `start` and `check`, with a JSON operation between them. An engine has no
 * loop, no sleep and no memory. Optional abilities are expressed by the presence of a method or flag, never by the
 * name.
 */
export interface Engine {
  readonly name: string;
  /** The named instance; absent = the defaults. Read the engine's kind with `kindOf`. */
  readonly instance?: EngineInstance;
  /** Maximum number of the engine's tasks in flight, over all processes. If it adapts, the initial limit. */
  readonly concurrency: number;
  /** The bounds within which the limit adapts to the upstream; absent = the limit is fixed. */
  readonly adapts?: { readonly floor: number; readonly ceiling: number };
  /** Maximum milliseconds of one `start`, with its preparations and a look-up. See `callTimeoutOf`. */
  readonly callTimeoutMs?: number;
  /** Milliseconds within which the upstream promises to make an order; absent = at once. */
  readonly windowMs?: number;
  /** Whether the engine works inside this process, so that its limit is the sum over all worker processes. */
  readonly isLocal?: boolean;
  /** Whether a second start costs nothing and gives the same result: only for local, deterministic, unpaid engines. */
  readonly repeatable?: boolean;
  /** Whether orders cost the operator nothing, as on an own server. A `repeatable` engine is free too. */
  readonly isFree?: boolean;
  /** Whether the engine answers an order with the result, which is lost if this process ends before storing it. */
  readonly isBlocking?: boolean;
  /** The treatment of a repeated submission, for all routes or by route. Default: `none`. Read by `idempotencyOf`. */
  readonly idempotency?: Idempotency | ((route: Pick<OrderRoute, 'model'>) => Idempotency);
  /** Whether the engine needs the route's `parameters` to translate an order, and cannot use a route without them. */
  readonly needsParameters?: boolean;
  /**
   * Submits an order. The returned operation is stored before anything else is done.
   * @throws EngineError, which says whether the upstream accepted the order.
   */
  start(order: Order, context: CallContext): Promise<Started>;
  /**
   * Asks for the state of an operation. @throws EngineError; after a transient one (`busy`, `rate_limited`, `upstream`,
   * `timeout`) the check is repeated later.
   */
  check(operation: JsonValue, order: Order, context: CallContext): Promise<Checked>;
  /** Returns the reason why no order can be submitted, in words for customers; null if it can. Absent = always. */
  refusal?(): Promise<string | null>;
  /**
   * Reads a call to the URL that `start` was given. Absent = the upstream makes none, and `start` is given no URL. The
   * call is a hint: only `check` tells the state of the order.
   */
  readCallback?(callback: Callback, context: CallContext): Promise<CallbackNews>;
  /** Tells whether the order of an operation was submitted with a URL that the upstream calls. */
  callsBack?(operation: JsonValue): boolean;
  /** Requests to stop an operation. Returns whether the engine accepted the request; `check` reports the end. */
  cancel?(operation: JsonValue, order: Order, context: CallContext): Promise<boolean>;
  /** Looks an operation up by our task id after a crash; null if the upstream does not have it. */
  find?(taskId: string, order: Order, context: CallContext): Promise<JsonValue | null>;
  /** Returns the upstream's own id of an accepted order, unique among its orders; null if there is none. */
  jobOf?(operation: JsonValue, order: Order): string | null;
  /** Tests whether the engine can work, for `doctor`, `/readyz` and the admin API. Must be free of charge. */
  probe?(context: CallContext): Promise<Probed>;
  readonly balance?: ReadBalance;
  /** Lists the upstream's models by their names in routes; without a list, those of `asked` that it has. Free. */
  models?(context: CallContext, asked: readonly string[]): Promise<ListedModels>;
  /** Maximum checks per minute that the upstream accepts from the account; absent = it publishes none. */
  readonly checksPerMinute?: number;
  /** Tells whether the engine has had no model in this process yet, so that it counts as not configured. */
  isDormant?(): boolean;
  /** Tells whether the operator's settings give the engine this upstream model; absent = all models. */
  serves?(model: string): boolean;
  /** Tells whether this machine has the programs that orders of a type need; absent = it has. */
  makes?(type: 'image' | 'video'): boolean;
  close?(): Promise<void>;
}

const LONGEST_FIELD = 200;
const DEFAULT_CALL_TIMEOUT_MS = 10 * 60_000;

/** Returns the maximum duration of one `start` of an engine, in milliseconds. */
export function callTimeoutOf(engine: Pick<Engine, 'callTimeoutMs'>): number {
  return engine.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** 0 to 100, with fractions. */
  readonly onProgress: (progress: number) => void;
  /** Whether a cancel was requested, so that an order that has disappeared counts as canceled. */
  readonly cancelRequested?: boolean;
  /** The URL that the upstream may call when an order started by `start` has ended; its last part is a secret. */
  readonly callbackUrl?: string | null;
}

/** An order as its engine receives it. */
export interface Order {
  readonly taskId: string;
  readonly mode: 'live' | 'test';
  readonly request: ResolvedRequest;
  /** Chosen when the order was accepted; never changes. */
  readonly route: OrderRoute;
  /** A test key's instruction on how the order ends. */
  readonly simulate: Simulate | null;
  /** Whether the output carries a small mark: set for orders of a test key for another vendor's model. */
  readonly testMark: boolean;
  /** The API key of the order: picture editing is counted for it. */
  readonly keyId?: string;
  /** The checked media of the request, in the order of its fields. */
  readonly media: readonly OrderMedia[];
  readonly parent: OrderParent | null;
}

/** The upstream model that makes an order, and how the request is translated for it. */
export interface OrderRoute {
  /** The engine's name. */
  readonly engine: string;
  /** The upstream's name of the model. */
  readonly model: string | null;
  /** The translation of orders; null if the engine translates them itself. */
  readonly parameters: RouteMap | null;
  /** Values that are sent with every order, by path. */
  readonly fixed: JsonObject;
}

export interface OrderMedia {
  /** The field of the request, such as `image_urls` or `mask_url`. */
  readonly field: string;
  /** The field's purpose according to the catalog, such as `reference` or `first_frame`. */
  readonly role?: string;
  /** Index within the field, from 0. */
  readonly index: number;
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  /** The API key that the order belongs to. */
  readonly keyId?: string;
  /** Opens the file. Engines do so before they order: if it cannot be opened during `start`, nothing was ordered. */
  readonly open: () => Promise<Readable>;
  /** A signed URL of the file, valid for a limited time; null if the upstream could not reach it. */
  readonly url: string | null;
}

/** The task that a follow-up action works on. */
export interface OrderParent {
  readonly taskId: string;
  readonly request: ResolvedRequest;
  readonly outputs: readonly OrderMedia[];
  /** Data that the engine stored with the parent's outputs, such as its scene. */
  readonly keep: JsonValue;
  /** The parent's own inputs, as far as they still exist: a reroll repeats the parent with them. */
  readonly madeFrom?: { readonly media: readonly OrderMedia[]; readonly parent: OrderParent | null };
}

export type Started = { readonly operation: JsonValue; readonly checkAfterMs?: number } | { readonly done: Delivery };

export type Checked =
  | {
      readonly status: 'pending';
      readonly progress?: number;
      readonly checkAfterMs?: number;
      readonly estimatedSeconds?: number;
      /** The upstream's own word for the state of the job, for operators. */
      readonly said?: string;
    }
  | { readonly status: 'succeeded'; readonly delivery: Delivery }
  | {
      readonly status: 'failed';
      readonly error: TaskFailure;
      readonly upstreamCost?: ReportedCost;
      /** Whether a result will arrive after the failure: it is fetched once more and reported to the operator. */
      readonly lateResult?: boolean;
    }
  /** Counts as a failure if nobody asked for it; `message` is then the upstream's reason. */
  | { readonly status: 'canceled'; readonly upstreamCost?: ReportedCost; readonly message?: string }
  /** A free engine no longer has the order, for instance after a restart: it may be submitted again. */
  | { readonly status: 'lost'; readonly message: string };

/** The results of a successful order. Files given by path may be removed by the receiver once stored. */
export interface Delivery {
  readonly outputs: readonly DeliveredOutput[];
  readonly keep?: JsonValue;
  /** The upstream's charge for the order, as it reports it; absent if it does not. */
  readonly upstreamCost?: ReportedCost;
  /** The quality and the model that the upstream says it used, in its spelling; absent if it says nothing. */
  readonly named?: { readonly quality?: string; readonly model?: string };
}

export interface DeliveredOutput {
  readonly source:
    | { readonly path: string }
    | {
        readonly url: string;
        /** The credentials that this URL needs; none for most. */
        readonly headers?: Readonly<Record<string, string>>;
        /** The engine's configured origin, which may be reached at any address. */
        readonly allowOrigins?: readonly string[];
      }
    | { readonly data: Uint8Array };
  readonly seed: number | null;
  readonly revisedPrompt: string | null;
  /** 4 for a 2×2 grid. */
  readonly tiles: number | null;
  /** Whether texts inside the file, such as the operator's workflow, are removed before it is stored. */
  readonly dropText?: boolean;
  /** Sentences on how the order was understood, if a test key asked for them. */
  readonly explanation?: readonly string[];
}

/** Failure of a task as the customer sees it: the upstream's own reason, without secrets. */
export interface TaskFailure {
  readonly code: (typeof TASK_FAILURE_CODES)[number];
  readonly message: string;
  /** Whether an equal request cannot succeed as a new order either, whatever is usual for the code. */
  readonly final?: boolean;
}

export type EngineErrorClass =
  | 'invalid_input'
  | 'content_policy'
  | 'auth'
  | 'billing'
  | 'rate_limited'
  | 'busy'
  | 'upstream'
  | 'timeout';

/** Maps an engine's error class to the failure code of the task. */
export const FAILURE_CODES: Readonly<Record<EngineErrorClass, TaskFailure['code']>> = {
  invalid_input: 'invalid_input',
  content_policy: 'content_policy',
  auth: 'upstream_auth',
  billing: 'upstream_billing',
  rate_limited: 'upstream_error',
  busy: 'upstream_error',
  upstream: 'upstream_error',
  timeout: 'timeout',
};

/**
 * A failed call to an engine. It may be repeated only if the upstream certainly did not accept the order (`took:
 * 'no'`). Its texts are cleaned, since most are the upstream's.
 */
export class EngineError extends Error {
  readonly class: EngineErrorClass;
  readonly took: 'no' | 'yes' | 'unknown';
  readonly retryAfterMs: number | null;
  /** Whether the error concerns the whole upstream, or only the model that the order's route names. */
  readonly scope: 'engine' | 'route';
  /** Whether nothing was sent, so that another upstream may take the order. */
  readonly elsewhere: boolean;
  /** The basis of the class: a documented code or status (default), or words alone, which may mean something else. */
  readonly proof: 'documented' | 'words';
  /** The fields of the upstream's own request that it refuses, as far as it names them. */
  readonly fields: readonly string[];
  /** The first characters of an answer without meaning, for the operator. */
  readonly answered: string | null;
  /** The whole of that answer, which is kept for the operator. */
  readonly unread: UnreadAnswer | null;

  constructor(
    errorClass: EngineErrorClass,
    message: string,
    options: Pick<EngineError, 'took'> & Partial<Omit<EngineError, 'name' | 'message' | 'stack' | 'class'>>,
  ) {
    super(cleanText(message), options.cause === undefined ? undefined : { cause: options.cause });
    const { took, retryAfterMs = null, scope = 'engine', elsewhere = false } = options;
    const { proof = 'documented', fields = [], answered = null, unread = null } = options;
    this.name = 'EngineError';
    this.class = errorClass;
    this.took = took;
    this.retryAfterMs = retryAfterMs;
    this.scope = scope;
    this.elsewhere = elsewhere;
    this.proof = proof;
    this.fields = fields.map((field) => cleanText(field, LONGEST_FIELD));
    this.answered = answered === null ? null : cleanText(answered);
    this.unread = unread;
  }
}
