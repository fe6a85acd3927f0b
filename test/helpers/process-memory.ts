import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';

type Answer = { readonly kind: 'operation' } | { readonly kind: 'delivery' };

/** Creates the memory of a process as it is at the start, and again after a kill. */
export const emptyMemory = () => ({
  confirmedUnsent: createConfirmedUnsent(),
  answer: null as Answer | null,
  /** The fence of the claim that it kept for the next check. */
  restsAt: null as number | null,
});
