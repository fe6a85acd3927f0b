import { type CallContext, type Delivery, type Engine, EngineError, type Order } from '../engine.ts';
import { type OrderInput, orderInput } from './order-input.ts';
import type { HandOver } from './reference-hand-over.ts';
import { beforeOrdering, type SubmitContext } from './submit-poll-engine.ts';

/** What is particular to one upstream that answers an order with its result. */
export interface BlockingSpec {
  readonly name: string;
  readonly concurrency: number;
  readonly handOver: HandOver;
  /** One call that orders, made with `orders: true`, on a call whose time-out suits the slowest model. */
  generate(order: OrderInput, context: SubmitContext): Promise<Delivery>;
  probe?(context: CallContext): Promise<{ readonly ok: boolean; readonly message: string }>;
  close?(): Promise<void>;
}

/**
 * An engine of an upstream without a handle: the stop of the service waits for its calls, a crash during one leaves the outcome unknown,
 * and nothing can be canceled. Whatever fails after the call went out is never sent again.
 */
export function createBlockingEngine(spec: BlockingSpec): Engine {
  const { name, concurrency, probe, close } = spec;
  return {
    name,
    concurrency,
    needsParameters: true,
    async start(order: Order, { signal }: CallContext) {
      const input = await beforeOrdering(() => orderInput(order, spec.handOver, signal));
      return { done: await spec.generate(input, { taskId: order.taskId, order, signal }) };
    },
    async check() {
      throw new EngineError('upstream', `${name} answers orders at once and cannot be asked for them`, {
        took: 'unknown',
      });
    },
    ...(probe === undefined ? {} : { probe }),
    ...(close === undefined ? {} : { close }),
  };
}
