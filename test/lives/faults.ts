import type { FaultKind, Plan } from './plan.ts';
import type { Seeded } from './seeded.ts';

/** How often each point was reached, and how often each fault happened there. */
export type Coverage = Map<string, number>;

/** Decides about faults. Prefers points that the seed has seldom reached. */
export interface Faults {
  /** Tells whether a fault happens at a point, such as `the commit of settle`. */
  happens(kind: FaultKind, point: string): boolean;
  /** From now on nothing goes wrong any more. */
  end(): void;
}

/** At the first times that a seed reaches a point, a fault is more likely by the factor. */
const FIRST_TIMES = 3;
const FIRST_FACTOR = 4;

export function createFaults(plan: Plan, seeded: Seeded, coverage: Coverage): Faults {
  const reached = new Map<string, number>();
  let hasEnded = false;
  const count = (name: string) => void coverage.set(name, (coverage.get(name) ?? 0) + 1);
  return {
    happens(kind, point) {
      if (hasEnded || plan[kind] === 0) return false;
      const name = `${kind} at ${point}`;
      const times = (reached.get(name) ?? 0) + 1;
      reached.set(name, times);
      const happens = seeded.happens(plan[kind] * (times <= FIRST_TIMES ? FIRST_FACTOR : 1));
      if (happens) count(name);
      return happens;
    },
    end() {
      hasEnded = true;
    },
  };
}
