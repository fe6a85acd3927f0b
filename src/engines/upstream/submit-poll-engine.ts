import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
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
import { withoutSecrets } from './error-map.ts';
import { type OrderInput, orderInput } from './order-input.ts';
import type { HandOver } from './reference-hand-over.ts';

/** What is particular to one upstream that is handed an order and then asked for it. */
export interface SubmitPollSpec<Handle extends JsonObject> {
  readonly name: string;
  readonly concurrency: number;
  readonly handOver: HandOver;
  /** Texts that must not turn up in what customers read. */
  readonly secrets: readonly string[];
  /** One call that orders, made with `orders: true`; everything before it is safe to repeat. Its handle is stored at once. */
  submit(order: OrderInput, context: SubmitContext): Promise<Handle>;
  check(handle: Handle, context: CallContext & { readonly order: Order }): Promise<Standing>;
  /** What the upstream calls the order, and no other one. */
  jobOf(handle: Handle): string;
  cancel?(handle: Handle, context: CallContext): Promise<boolean>;
  /** Where the upstream can be asked by our own task id. */
  find?(taskId: string, context: CallContext & { readonly order: Order }): Promise<Handle | null>;
  probe?(context: CallContext): Promise<{ readonly ok: boolean; readonly message: string }>;
  close?(): Promise<void>;
}

export interface SubmitContext {
  readonly taskId: string;
  readonly order: Order;
  readonly signal: AbortSignal;
}

/** How an order stands at the upstream. */
export type Standing =
  | {
      readonly state: 'pending';
      /** 0 to 100. */
      readonly progress?: number | undefined;
      readonly estimatedSeconds?: number | undefined;
    }
  /** A status that we do not know: it waits like a pending one. */
  | { readonly state: 'unknown'; readonly word: string }
  /** The upstream does not know the handle (any more). */
  | { readonly state: 'gone' }
  | { readonly state: 'succeeded'; readonly delivery: Delivery }
  | { readonly state: 'failed'; readonly class: EngineErrorClass; readonly message: string }
  | { readonly state: 'canceled' };

export interface EngineTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Between two checks; default: what the model's usual time suggests. */
  readonly checkEveryMs?: number | undefined;
  /** The longest that one call may take; default: what suits the upstream. */
  readonly callTimeoutMs?: number | undefined;
}

interface Operation extends JsonObject {
  readonly handle: JsonObject;
  /** By our clock, milliseconds. */
  readonly submittedAt: number;
}

/** An upstream may not know at once, at every place, what it has just taken. */
const SETTLING_MS = 60_000;
const MOST_BEFORE_THE_END = 99;

/** An engine of an upstream with a handle: it survives any crash of ours, and no order is ever submitted twice. */
export function createSubmitPollEngine<Handle extends JsonObject>(
  spec: SubmitPollSpec<Handle>,
  { clock, log, checkEveryMs }: EngineTools,
): Engine {
  const pace = checkEveryMs === undefined ? {} : { checkAfterMs: checkEveryMs };
  const unknownWords = new Set<string>();
  const handleOf = (operation: JsonValue) => (operation as Operation).handle as Handle;
  const operationOf = (handle: Handle): Operation => ({ handle, submittedAt: clock.now() });

  function translate(standing: Standing, operation: JsonValue, cancelRequested: boolean): Checked {
    switch (standing.state) {
      case 'pending':
        return { status: 'pending', ...pace, ...told(standing) };
      case 'unknown':
        if (!unknownWords.has(standing.word)) {
          unknownWords.add(standing.word);
          log.warn(
            { engine: spec.name, status: standing.word },
            'an upstream tells a status that is not known here; it waits like a pending one',
          );
        }
        return { status: 'pending', ...pace };
      case 'gone': {
        if (cancelRequested) return { status: 'canceled' };
        const age = clock.now() - (operation as Operation).submittedAt;
        if (age >= 0 && age < SETTLING_MS) return { status: 'pending', ...pace };
        return {
          status: 'failed',
          error: { code: 'upstream_error', message: `${spec.name} no longer knows the order` },
        };
      }
      case 'failed': {
        const message = withoutSecrets(standing.message, spec.secrets);
        return {
          status: 'failed',
          error: { code: FAILURE_CODES[standing.class], message: `${spec.name}: ${message}` },
        };
      }
      case 'succeeded':
        return { status: 'succeeded', delivery: standing.delivery };
      case 'canceled':
        return { status: 'canceled' };
    }
  }

  const { cancel, find, probe, close } = spec;
  return {
    name: spec.name,
    concurrency: spec.concurrency,
    needsParameters: true,
    async start(order, { signal }) {
      const input = await beforeOrdering(() => orderInput(order, spec.handOver, signal));
      const handle = await spec.submit(input, { taskId: order.taskId, order, signal });
      return { operation: operationOf(handle), ...pace };
    },
    async check(operation, order, context) {
      const standing = await spec.check(handleOf(operation), { ...context, order });
      return translate(standing, operation, context.cancelRequested === true);
    },
    jobOf(operation) {
      const { handle } = operation as Partial<Operation>;
      return handle === undefined ? null : spec.jobOf(handle as Handle);
    },
    ...(cancel === undefined ? {} : { cancel: (operation, _order, context) => cancel(handleOf(operation), context) }),
    ...(find === undefined
      ? {}
      : {
          async find(taskId, order, context) {
            const handle = await find(taskId, { ...context, order });
            return handle === null ? null : operationOf(handle);
          },
        }),
    ...(probe === undefined ? {} : { probe }),
    ...(close === undefined ? {} : { close }),
  };
}

/** Nothing has been ordered yet, so whatever fails here certainly ordered nothing. */
export async function beforeOrdering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.took === 'no') throw error;
    throw new EngineError(error.class, error.message, {
      took: 'no',
      cause: error,
      ...(error.retryAfterMs === null ? {} : { retryAfterMs: error.retryAfterMs }),
    });
  }
}

/** Figures as far as they make sense; the end is told by the end alone. */
function told({ progress, estimatedSeconds }: Extract<Standing, { state: 'pending' }>) {
  const isFigure = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
  return {
    ...(isFigure(progress) ? { progress: Math.min(MOST_BEFORE_THE_END, Math.max(0, progress)) } : {}),
    ...(isFigure(estimatedSeconds) ? { estimatedSeconds: Math.max(0, estimatedSeconds) } : {}),
  };
}
