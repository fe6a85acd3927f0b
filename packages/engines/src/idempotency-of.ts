import type { Engine, Idempotency, OrderRoute } from './engine.ts';

/** Returns how the upstream of a route treats a second submission of one order. */
export function idempotencyOf(
  { idempotency = 'none' }: Pick<Engine, 'idempotency'>,
  route: Pick<OrderRoute, 'model'>,
): Idempotency {
  return typeof idempotency === 'function' ? idempotency(route) : idempotency;
}
