import type { Readable } from 'node:stream';
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import type { RouteMap } from '../catalog/route-map.ts';

/**
 * The contract of an engine: two short calls with a JSON operation between them. No loop, no sleep, no memory in an engine;
 * what it can do besides is said by the presence of a method or a flag, never by its name.
 */
export interface Engine {
  readonly name: string;
  /** How many of its tasks may be in flight at once, over all processes. */
  readonly concurrency: number;
  /** Starting twice costs nothing and gives the same result: only for local, deterministic, unpaid engines. */
  readonly repeatable?: boolean;
  /** It says orders in the words of its route, so it cannot make those of a route without `parameters`. */
  readonly needsParameters?: boolean;
  /**
   * Hands the order over. The operation is stored before anything else is done.
   * @throws EngineError, which says whether the upstream took the order.
   */
  start(order: Order, context: CallContext): Promise<Started>;
  /** Asks how an operation stands. @throws EngineError; one that may pass (`busy`, `rate_limited`, `upstream`, `timeout`) is asked again later. */
  check(operation: JsonValue, order: Order, context: CallContext): Promise<Checked>;
  /** Stops an operation. Answers whether the engine took the wish; the end is learned by `check`. */
  cancel?(operation: JsonValue, order: Order, context: CallContext): Promise<boolean>;
  /** Looks an operation up by our own task id after a crash; null when the upstream has none. */
  find?(taskId: string, order: Order, context: CallContext): Promise<JsonValue | null>;
  /** What the upstream itself calls an order that it took, and no other of its orders; null where it gave no name. */
  jobOf?(operation: JsonValue, order: Order): string | null;
  /** Whether what it needs is there: shown by `doctor`, `/readyz` and the admin API. Spends nothing. */
  probe?(context: CallContext): Promise<{ readonly ok: boolean; readonly message: string }>;
  close?(): Promise<void>;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** 0 to 100, with fractions. */
  readonly onProgress: (progress: number) => void;
  /** Someone wished the order canceled, so an order that is gone was canceled. */
  readonly cancelRequested?: boolean;
}

/** Everything an engine is told of an order. */
export interface Order {
  readonly taskId: string;
  readonly mode: 'live' | 'test';
  readonly request: ResolvedRequest;
  /** Frozen when the order was taken. */
  readonly route: OrderRoute;
  /** A test key's wish for how the order ends. */
  readonly simulate: Simulate | null;
  /** What a test key orders of another vendor's model carries a small mark. */
  readonly testMark: boolean;
  /** The checked media of the request, in the order of its fields. */
  readonly media: readonly OrderMedia[];
  readonly parent: OrderParent | null;
}

/** Which of an engine's models makes an order, and how it is said there. */
export interface OrderRoute {
  /** The engine's name. */
  readonly engine: string;
  /** The upstream's name of the model. */
  readonly model: string | null;
  /** Null: the engine knows by itself how to say an order. */
  readonly parameters: RouteMap | null;
  /** What is sent with every order, by path. */
  readonly fixed: JsonObject;
}

export interface OrderMedia {
  /** The field of the request, such as `image_urls` or `mask_url`. */
  readonly field: string;
  /** What the catalog says that the field is for, such as `reference` or `first_frame`. */
  readonly role?: string;
  /** Place within the field, from 0. */
  readonly index: number;
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  /**
   * An engine reads what it hands over before it orders anything: a file that cannot be opened during `start`
   * counts as nothing ordered.
   */
  readonly open: () => Promise<Readable>;
  /** A signed address of the file for a while; null where nobody outside could reach it. */
  readonly url: string | null;
}

/** The task that a follow-up action works on. */
export interface OrderParent {
  readonly taskId: string;
  readonly request: ResolvedRequest;
  readonly outputs: readonly OrderMedia[];
  /** What the engine asked to be kept with the parent's outputs, such as its scene. */
  readonly keep: JsonValue;
  /** What the parent itself was made from, as far as it is still there: for a reroll, which repeats it. */
  readonly madeFrom?: { readonly media: readonly OrderMedia[]; readonly parent: OrderParent | null };
}

export interface Simulate {
  readonly seconds: number;
  readonly outcome:
    | 'succeeded'
    | 'content_policy'
    | 'upstream_error'
    | 'timeout'
    | 'outcome_unknown'
    | 'stuck'
    | 'late';
  /** Whether the output tells what was understood of the order, by an engine that can. */
  readonly explain?: boolean;
}

export type Started = { readonly operation: JsonValue; readonly checkAfterMs?: number } | { readonly done: Delivery };

export type Checked =
  | {
      readonly status: 'pending';
      readonly progress?: number;
      readonly checkAfterMs?: number;
      readonly estimatedSeconds?: number;
    }
  | { readonly status: 'succeeded'; readonly delivery: Delivery }
  | {
      readonly status: 'failed';
      readonly error: TaskFailure;
      /** The result is known to arrive after all: it is asked for once more and reported to the operator. */
      readonly lateResult?: boolean;
    }
  | { readonly status: 'canceled' };

/** What an engine hands over at success. Paths are files that the collector may remove once they are stored. */
export interface Delivery {
  readonly outputs: readonly DeliveredOutput[];
  readonly keep?: JsonValue;
  /** What a follow-up or a price by measurement needs to know, such as `{ input_video_seconds: 3.5 }`. */
  readonly upstreamCost?: JsonObject;
}

export interface DeliveredOutput {
  readonly source:
    | { readonly path: string }
    | {
        readonly url: string;
        /** The credentials that this very address needs; none for most. */
        readonly headers?: Readonly<Record<string, string>>;
        /** The engine's configured origin, which may be reached whatever its address. */
        readonly allowOrigins?: readonly string[];
      }
    | { readonly data: Uint8Array };
  readonly seed: number | null;
  readonly revisedPrompt: string | null;
  /** 4 for a 2×2 grid. */
  readonly tiles: number | null;
  /** What was understood of the order, in sentences, where a test key asked for it. */
  readonly explanation?: readonly string[];
}

export const TASK_FAILURE_CODES = [
  'content_policy',
  'invalid_input',
  'upstream_error',
  'upstream_billing',
  'upstream_auth',
  'timeout',
  'outcome_unknown',
  'storage_error',
] as const;

/** Why a task failed, as the customer reads it: the upstream's own reason, without its secrets. */
export interface TaskFailure {
  readonly code: (typeof TASK_FAILURE_CODES)[number];
  readonly message: string;
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

/** What an engine's error means for its task. */
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

/** A call to an engine that failed. Only one that the upstream certainly did not take (`took: 'no'`) may be tried again. */
export class EngineError extends Error {
  readonly class: EngineErrorClass;
  readonly took: 'no' | 'yes' | 'unknown';
  readonly retryAfterMs: number | null;
  /** Nobody was asked: it cannot be handed to this upstream, and may well be to another. */
  readonly elsewhere: boolean;

  constructor(
    errorClass: EngineErrorClass,
    message: string,
    options: { took: 'no' | 'yes' | 'unknown'; retryAfterMs?: number; elsewhere?: boolean; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.class = errorClass;
    this.took = options.took;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.elsewhere = options.elsewhere ?? false;
  }
}
