import { createUnsentOrders } from '../src/worker/unsent-orders.ts';

type Answer = { readonly kind: 'operation' } | { readonly kind: 'delivery' };

/** What a process knows at its start, and loses when it is killed. */
export const emptyMemory = () => ({
  unsent: createUnsentOrders(),
  answer: null as Answer | null,
  /** The fence of the claim that it kept for the next check. */
  restsAt: null as number | null,
});
