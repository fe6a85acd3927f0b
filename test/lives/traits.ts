import type { Idempotency } from '@darkroom-service/engines';
import type { Seeded } from './seeded.ts';

/** The kind of a simulated upstream. */
export interface Traits {
  readonly name: string;
  readonly concurrency: number;
  readonly idempotency: Idempotency;
  /** Whether it answers an order with the result. */
  readonly isBlocking: boolean;
  /** Whether it can stop an order that it has. */
  readonly canCancel: boolean;
  readonly isFree: boolean;
  /** Whether it calls when an order has ended. */
  readonly callsBack: boolean;
}

/** Chooses the kinds of the upstreams of these names. @param lies whether each says that it replays what it has */
export function createTraits(seeded: Seeded, names: readonly string[], lies: boolean): Traits[] {
  return names.map((name): Traits => {
    const idempotency = lies ? 'replays' : seeded.pick(['none', 'replays', 'refuses_duplicates', 'findable'] as const);
    const isBlocking = !lies && (idempotency === 'none' || idempotency === 'replays') && seeded.happens(0.4);
    const canCancel = !isBlocking && seeded.happens(0.5);
    const isFree = !lies && idempotency === 'none' && seeded.happens(0.4);
    const callsBack = !isBlocking && seeded.happens(0.4);
    return { name, concurrency: seeded.pick([2, 20, 20]), idempotency, isBlocking, canCancel, isFree, callsBack };
  });
}
