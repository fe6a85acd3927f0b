import type { JsonValue } from '@darkroom-service/contract';
import { type CallContext, type Delivery, type Engine, EngineError, type Order } from '../engine.ts';
import type { ReportedCost } from '../reported-cost.ts';
import { type OrderInput, orderInput } from './order-input.ts';
import type { ReferenceTransfer } from './reference-transfer.ts';
import { asRouteFault, endedOperation, endIn } from './refused-orders.ts';
import { beforeOrdering, type SubmitContext, startLimitMs } from './submit-poll-engine.ts';
import type { Unmade } from './unmade.ts';
import { deliveryWithoutSecrets } from './without-secrets.ts';

/** The parts of an engine that are specific to an upstream that answers an order with its result. */
export interface BlockingSpec {
  readonly name: string;
  readonly concurrency: number;
  /** Maximum milliseconds of one call to the upstream. */
  readonly timeoutMs: number;
  readonly handOver: ReferenceTransfer;
  /** Treatment of a repeated submission. Default: `none`. */
  readonly idempotency?: NonNullable<Engine['idempotency']>;
  /** Texts that must not appear in what customers read. */
  readonly secrets?: readonly string[];
  /** Makes the only call that places the order, with `orders: true` and a timeout that suits the slowest model. */
  generate(order: OrderInput, context: Omit<SubmitContext, 'callbackUrl'>): Promise<Generated>;
  probe?(context: CallContext): Promise<{ readonly ok: boolean; readonly message: string }>;
  readonly balance?: Engine['balance'];
  readonly models?: Engine['models'];
  close?(): Promise<void>;
}

/** The result of an answered order, or the upstream's word that it made nothing, which ends the order. */
export type Generated = Delivery | (Unmade & { readonly upstreamCost?: ReportedCost });

/**
 * Creates an engine for an upstream without order ids: a stop of the service waits for its calls, a crash during a call
 * leaves the outcome unknown, and nothing can be canceled. A call that failed after it was sent is never repeated.
 */
export function createBlockingEngine(spec: BlockingSpec): Engine {
  const { name, concurrency, idempotency = 'none', secrets = [], probe, balance, models, close } = spec;
  return {
    name,
    concurrency,
    idempotency,
    isBlocking: true,
    needsParameters: true,
    callTimeoutMs: startLimitMs(spec.timeoutMs, 1),
    async start(order: Order, { signal }: CallContext) {
      const input = await beforeOrdering((limited) => orderInput(order, spec.handOver, limited), signal);
      const generated = await spec.generate(input, { taskId: order.taskId, order, signal }).catch((error: unknown) => {
        throw asRouteFault(error, order);
      });
      if ('outputs' in generated) return { done: deliveryWithoutSecrets(generated, secrets) };
      return { operation: endedOperation(generated, { name, secrets }), checkAfterMs: 0 };
    },
    async check(operation: JsonValue) {
      const end = endIn(operation);
      if (end !== null) return end;
      throw new EngineError('upstream', `${name} answers orders at once and cannot be asked for them`, {
        took: 'unknown',
      });
    },
    ...(probe === undefined ? {} : { probe }),
    ...(balance === undefined ? {} : { balance }),
    ...(models === undefined ? {} : { models }),
    ...(close === undefined ? {} : { close }),
  };
}
