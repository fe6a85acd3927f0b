import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestService } from './service.ts';

const CUSTOMERS = 6;

/**
 * Customers who order at the services one after the other, each order from the model `paid`. They repeat it with its
 * Idempotency-Key until it is confirmed.
 */
export interface OrderingCustomers {
  /** The ids of confirmed orders. */
  readonly orders: readonly string[];
  /** The codes of the refusals. */
  readonly refused: readonly string[];
  /** When each service confirmed its last order, by `performance.now()`. */
  readonly confirmedAt: readonly number[];
  /** Resolves when all orders that were begun are confirmed. */
  end(): Promise<void>;
}

export function openCustomers(services: readonly TestService[]): OrderingCustomers {
  const orders: string[] = [];
  const refused: string[] = [];
  const confirmedAt = services.map(() => 0);
  let ends = false;
  const order = async (which: number, name: string) => {
    const { call, keys } = services[which]!;
    const body = { model_id: 'paid', prompt: name };
    for (;;) {
      const { status, data, error } = await call(keys.live, 'POST', '/v1/images', body, { 'idempotency-key': name });
      if (status === 201) {
        orders.push(data.task_id);
        confirmedAt[which] = performance.now();
        return;
      }
      assert.equal(status, 503, JSON.stringify(error));
      refused.push(error.code);
      await pause(20);
    }
  };
  const one = async (index: number) => {
    for (let count = 0; !ends; count++) await order(index % services.length, `order-${index}-${count}`);
  };
  const done = Promise.all(Array.from({ length: CUSTOMERS }, (_, index) => one(index)));
  // A failure is told by `end`.
  done.catch(() => {});
  return {
    orders,
    refused,
    confirmedAt,
    async end() {
      ends = true;
      await done;
    },
  };
}
