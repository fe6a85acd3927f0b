import { type Clock, cleanText, type JsonObject, type JsonValue, world } from '@darkroom-service/contract';
import type { Callback, CallbackNews } from '../callback.ts';
import {
  type CallContext,
  type Checked,
  type Delivery,
  type Engine,
  EngineError,
  type EngineErrorClass,
  FAILURE_CODES,
  type Order,
} from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { ReportedCost } from '../reported-cost.ts';
import { classOfFailure, textsIn } from './error-words.ts';
import { type OrderInput, orderInput } from './order-input.ts';
import type { ReferenceTransfer } from './reference-transfer.ts';
import { asReadingFault, asRouteFault, endedOperation, endIn } from './refused-orders.ts';
import type { Unmade } from './unmade.ts';
import { deliveryWithoutSecrets, withoutSecrets } from './without-secrets.ts';

/** The parts of an engine that are specific to an upstream whose orders are submitted and then polled. */
interface SubmitPollSpec<Handle extends JsonObject> {
  readonly name: string;
  readonly concurrency: number;
  /** Maximum milliseconds of one call to the upstream. */
  readonly timeoutMs: number;
  readonly handOver: ReferenceTransfer;
  /** Whether orders cost the operator nothing. */
  readonly isFree?: boolean;
  /** Treatment of a repeated submission. Default: `none`. */
  readonly idempotency?: NonNullable<Engine['idempotency']>;
  /** Texts that must not appear in messages to customers. */
  readonly secrets: readonly string[];
  /**
   * Makes the only call that places the order, with `orders: true`; everything before it is safe to repeat. The
   * returned handle is stored at once. An answer without one is read by `Upstream.unmade`.
   */
  submit(order: OrderInput, context: SubmitContext): Promise<Handle | Unmade>;
  check(handle: Handle, context: CallContext & { readonly order: Order }): Promise<UpstreamState>;
  /** Returns the upstream's own unique id of the order. */
  jobOf(handle: Handle): string;
  /** Reads a callback; absent = the upstream calls nobody, and `submit` gets no `callbackUrl`. */
  readCallback?(callback: Callback, context: CallContext): Promise<CallbackNews>;
  cancel?(handle: Handle, context: CallContext): Promise<boolean>;
  /** Finds an order by our task id, at upstreams that can. */
  find?(taskId: string, context: CallContext & { readonly order: Order }): Promise<Handle | null>;
  probe?(context: CallContext): Promise<Probed>;
  readonly balance?: Engine['balance'];
  readonly models?: Engine['models'];
  close?(): Promise<void>;
}

export interface SubmitContext {
  readonly taskId: string;
  readonly order: Order;
  readonly signal: AbortSignal;
  /** The URL that the upstream is asked to call when the order has ended; null = none. */
  readonly callbackUrl: string | null;
}

/** The state of an order at the upstream. */
export type UpstreamState =
  | {
      readonly state: 'pending';
      /** 0 to 100. */
      readonly progress?: number | undefined;
      readonly estimatedSeconds?: number | undefined;
      /** The upstream's own word for the state. */
      readonly word?: string | undefined;
    }
  /** An unknown status: treated like a pending one. */
  | { readonly state: 'unknown'; readonly word: string }
  /** The upstream does not know the handle, at least now. */
  | { readonly state: 'gone' }
  | { readonly state: 'succeeded'; readonly delivery: Delivery }
  | {
      readonly state: 'failed';
      /**
       * The class by a documented code. Absent or `invalid_input`: the words tell whether it was content or the
       * account.
       */
      readonly class?: EngineErrorClass | undefined;
      readonly message: string;
      readonly upstreamCost?: ReportedCost;
    }
  | { readonly state: 'canceled'; readonly upstreamCost?: ReportedCost; readonly message?: string | null };

/** The log of an engine, for cases that it cannot decide. */
export interface EngineLog {
  warn(fields: object, message: string): void;
}

export interface EngineTools {
  readonly clock: Clock;
  readonly log: EngineLog;
  /** Milliseconds between checks; default: derived from the model's typical duration. */
  readonly checkEveryMs?: number | undefined;
  /** Maximum milliseconds of one call; default: the upstream's own. */
  readonly callTimeoutMs?: number | undefined;
}

interface Operation extends JsonObject {
  readonly handle: JsonObject;
  /** Time of the submission by our clock, in milliseconds since 1970. */
  readonly submittedAt: number;
  /** True if the upstream was given a URL to call. */
  readonly callsBack?: true;
}

/** Milliseconds for which an upstream may not know an order that it has just accepted. */
const SETTLING_MS = 60_000;
const MOST_BEFORE_THE_END = 99;
const LONGEST_WORD = 60;
/** Maximum milliseconds for translating an order, including handing over its media. */
const PREPARATION_MS = 2 * 60_000;

/** Returns the maximum duration of a `start` with `calls` calls of up to `timeoutMs` each. */
export function startLimitMs(timeoutMs: number, calls: number): number {
  return PREPARATION_MS + calls * timeoutMs;
}

/** Creates an engine for an upstream with order ids: it survives any crash of ours, and no order is submitted twice. */
export function createSubmitPollEngine<Handle extends JsonObject>(
  spec: SubmitPollSpec<Handle>,
  { clock, log, checkEveryMs }: EngineTools,
): Engine {
  const pace = checkEveryMs === undefined ? {} : { checkAfterMs: checkEveryMs };
  const unknownWords = new Set<string>();
  const handleOf = (operation: JsonValue) => (operation as Operation).handle as Handle;
  const operationOf = (handle: Handle): Operation => ({ handle, submittedAt: clock.now() });

  function translate(standing: UpstreamState, operation: JsonValue, order: Order, cancelRequested: boolean): Checked {
    switch (standing.state) {
      case 'pending':
        return { status: 'pending', ...pace, ...figuresOf(standing), ...saidOf(standing.word, spec.secrets) };
      case 'unknown':
        if (!unknownWords.has(standing.word)) {
          unknownWords.add(standing.word);
          const { said: status } = saidOf(standing.word, spec.secrets);
          log.warn({ engine: spec.name, status }, 'unknown upstream status; treating it as pending');
        }
        return { status: 'pending', ...pace, ...saidOf(standing.word, spec.secrets) };
      case 'gone': {
        if (cancelRequested) return { status: 'canceled' };
        // Such a server knows an accepted order until it restarts or the result expires.
        if (spec.isFree === true) return { status: 'lost', message: `${spec.name} no longer knows the order` };
        const age = clock.now() - (operation as Operation).submittedAt;
        if (age >= 0 && age < SETTLING_MS) return { status: 'pending', ...pace };
        // Vendors keep jobs much longer than the time between checks. A replica or a cache may lack one for a while.
        throw new EngineError('upstream', `${spec.name} no longer knows the order`, { took: 'yes' });
      }
      case 'failed':
        return failureOf(spec, standing, order);
      case 'succeeded':
        return { status: 'succeeded', delivery: deliveryWithoutSecrets(standing.delivery, spec.secrets) };
      case 'canceled': {
        const message = withoutSecrets(standing.message ?? '', spec.secrets);
        return { status: 'canceled', ...costOf(standing), ...(message === '' ? {} : { message }) };
      }
    }
  }

  const { cancel, find, probe, balance, models, close, readCallback } = spec;
  return {
    name: spec.name,
    concurrency: spec.concurrency,
    idempotency: spec.idempotency ?? 'none',
    isFree: spec.isFree ?? false,
    needsParameters: true,
    // Two calls: the one that places the order, and a look-up of its outcome.
    callTimeoutMs: startLimitMs(spec.timeoutMs, 2),
    async start(order, { signal, callbackUrl: given = null }) {
      const input = await beforeOrdering((limited) => orderInput(order, spec.handOver, limited), signal);
      const callbackUrl = readCallback === undefined ? null : given;
      const context = { taskId: order.taskId, order, signal, callbackUrl };
      const handle = await spec.submit(input, context).catch((error: unknown) => {
        throw asRouteFault(callbackUrl === null ? error : withoutToken(error, callbackUrl), order);
      });
      if (isUnmade(handle)) return { operation: endedOperation(handle, spec), checkAfterMs: 0 };
      const marks = callbackUrl === null ? {} : { callsBack: true as const };
      return { operation: { ...operationOf(handle), ...marks }, ...pace };
    },
    async check(operation, order, context) {
      const end = endIn(operation);
      if (end !== null) return end;
      const standing = await spec.check(handleOf(operation), { ...context, order }).catch((error: unknown) => {
        throw asReadingFault(error);
      });
      return translate(standing, operation, order, context.cancelRequested === true);
    },
    jobOf(operation) {
      const { handle } = operation as Partial<Operation>;
      return handle === undefined ? null : spec.jobOf(handle as Handle);
    },
    ...(readCallback === undefined
      ? {}
      : { readCallback, callsBack: (operation) => (operation as Partial<Operation>).callsBack === true }),
    ...(cancel === undefined
      ? {}
      : {
          cancel: async (operation, _order, context) =>
            endIn(operation) === null && (await cancel(handleOf(operation), context)),
        }),
    ...(find === undefined
      ? {}
      : {
          async find(taskId, order, context) {
            const handle = await find(taskId, { ...context, order });
            return handle === null ? null : operationOf(handle);
          },
        }),
    ...(probe === undefined ? {} : { probe }),
    ...(balance === undefined ? {} : { balance }),
    ...(models === undefined ? {} : { models }),
    ...(close === undefined ? {} : { close }),
  };
}

function failureOf(
  { name, secrets }: Pick<SubmitPollSpec<never>, 'name' | 'secrets'>,
  failed: Extract<UpstreamState, { state: 'failed' }>,
  order: Order,
): Checked {
  const code = FAILURE_CODES[classOfFailure(failed, textsIn(order.request.values))];
  const message = `${name}: ${withoutSecrets(failed.message, secrets)}`;
  return { status: 'failed', error: { code, message }, ...costOf(failed) };
}

/**
 * Runs the work before the call that orders: if it fails, certainly nothing was ordered.
 * @param work gets a signal that also aborts it after two minutes.
 */
export async function beforeOrdering<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  limitMs: number = PREPARATION_MS,
): Promise<T> {
  const limited = new AbortController();
  // Signals of `AbortSignal.timeout` and `any` would stay in memory until the time is up or the heap is collected.
  const timer = world.setTimeout(() => limited.abort(), limitMs).unref();
  const onAbort = () => limited.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  try {
    return await work(limited.signal);
  } catch (error) {
    if (limited.signal.aborted && !signal.aborted) {
      const message = `the order was not ready to be handed over within ${limitMs / 1000} seconds`;
      throw new EngineError('timeout', message, { took: 'no', cause: error });
    }
    if (!(error instanceof EngineError) || error.took === 'no') throw error;
    throw new EngineError(error.class, error.message, {
      took: 'no',
      scope: error.scope,
      proof: error.proof,
      cause: error,
      ...(error.retryAfterMs === null ? {} : { retryAfterMs: error.retryAfterMs }),
    });
  } finally {
    world.clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Removes the URL's token from an error: a refusal may repeat the URL, and reaches the customer and the log. */
function withoutToken(error: unknown, callbackUrl: string): unknown {
  const token = callbackUrl.split('/').at(-1) ?? '';
  if (!(error instanceof EngineError) || !error.message.includes(token)) return error;
  const { took, scope, elsewhere, proof, retryAfterMs } = error;
  return new EngineError(error.class, withoutSecrets(error.message, [token]), {
    took,
    scope,
    elsewhere,
    proof,
    fields: error.fields,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

function isUnmade(handle: JsonObject | Unmade): handle is Unmade {
  return 'refused' in handle;
}

function costOf({ upstreamCost }: { readonly upstreamCost?: ReportedCost }) {
  return upstreamCost === undefined ? {} : { upstreamCost };
}

function saidOf(word: string | undefined, secrets: readonly string[]) {
  return word === undefined ? {} : { said: cleanText(withoutSecrets(word, secrets), LONGEST_WORD) };
}

/** Returns progress and estimate if they are valid. Progress stays below 100 until the order has ended. */
function figuresOf({ progress, estimatedSeconds }: Extract<UpstreamState, { state: 'pending' }>) {
  const isFigure = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
  return {
    ...(isFigure(progress) ? { progress: Math.min(MOST_BEFORE_THE_END, Math.max(0, progress)) } : {}),
    ...(isFigure(estimatedSeconds) ? { estimatedSeconds: Math.max(0, estimatedSeconds) } : {}),
  };
}
