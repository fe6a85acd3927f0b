import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import type { Drawn, World } from './world.ts';

/** Simulated upstreams, whose capacity no cell knows beforehand. */
export interface Upstreams {
  /** An order arrives. A full upstream, or one that has taken a minute's orders, refuses it. */
  answer(upstream: number): 'took' | 'refused' | 'away';
  ended(upstream: number): void;
  /** Returns how many more orders the upstream would take at once. */
  roomOf(upstream: number): number;
}

/** Creates the simulated upstreams of a world. @param now virtual time, in milliseconds */
export function createUpstreams({ upstreams }: World, drawn: Drawn, now: () => number): Upstreams {
  const inProgress = new Int32Array(upstreams);
  const paces = createRateLimits({ now });
  const roomOf = (upstream: number) => Math.max(0, drawn.capacityOf(upstream, now()) - inProgress[upstream]!);
  return {
    roomOf,
    answer(upstream) {
      if (drawn.isOut(upstream, now())) return 'away';
      if (roomOf(upstream) === 0) return 'refused';
      if (paces.take(String(upstream), 'creates', drawn.submissionsPerMinute)?.allowed !== true) return 'refused';
      inProgress[upstream]!++;
      return 'took';
    },
    ended: (upstream) => void inProgress[upstream]!--,
  };
}
