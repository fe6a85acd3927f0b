import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import {
  type CallContext,
  type Delivery,
  type Engine,
  EngineError,
  type EngineErrorClass,
  FAILURE_CODES,
  type Order,
  type TaskFailure,
} from '../engine.ts';
import { withoutSecrets } from './error-map.ts';
import { type OrderInput, orderInput } from './order-input.ts';
import type { HandOver } from './reference-hand-over.ts';
import { beforeOrdering, type SubmitContext } from './submit-poll-engine.ts';

/** What is particular to one upstream that answers an order with its result. */
export interface BlockingSpec {
  readonly name: string;
  readonly concurrency: number;
  readonly handOver: HandOver;
  /** Texts that must not turn up in what customers read of a refusal. */
  readonly secrets?: readonly string[];
  /** One call that orders, made with `orders: true`, on a call whose time-out suits the slowest model. */
  generate(order: OrderInput, context: SubmitContext): Promise<Generated>;
  probe?(context: CallContext): Promise<{ readonly ok: boolean; readonly message: string }>;
  close?(): Promise<void>;
}

/** What an answered order came to. A refusal that comes as a success (HTTP 200) has an end, unlike a call that broke. */
export type Generated = Delivery | { readonly refused: { readonly class: EngineErrorClass; readonly message: string } };

interface Verdict extends JsonObject {
  readonly code: TaskFailure['code'];
  readonly message: string;
}

/**
 * An engine of an upstream without a handle: the stop of the service waits for its calls, a crash during one leaves the outcome unknown,
 * and nothing can be canceled. Whatever fails after the call went out is never sent again.
 */
export function createBlockingEngine(spec: BlockingSpec): Engine {
  const { name, concurrency, secrets = [], probe, close } = spec;
  return {
    name,
    concurrency,
    needsParameters: true,
    async start(order: Order, { signal }: CallContext) {
      const input = await beforeOrdering(() => orderInput(order, spec.handOver, signal));
      const generated = await spec.generate(input, { taskId: order.taskId, order, signal });
      if ('outputs' in generated) return { done: generated };
      const { class: errorClass, message } = generated.refused;
      const verdict: Verdict = {
        code: FAILURE_CODES[errorClass],
        message: `${name}: ${withoutSecrets(message, secrets)}`,
      };
      return { operation: { verdict }, checkAfterMs: 0 };
    },
    async check(operation: JsonValue) {
      const { verdict } = operation as { readonly verdict?: Verdict };
      if (verdict !== undefined) return { status: 'failed', error: verdict };
      throw new EngineError('upstream', `${name} answers orders at once and cannot be asked for them`, {
        took: 'unknown',
      });
    },
    ...(probe === undefined ? {} : { probe }),
    ...(close === undefined ? {} : { close }),
  };
}
