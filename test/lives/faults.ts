import type { Coverage } from './coverage.ts';
import type { FaultKind, Plan } from './plan.ts';
import type { Seeded } from './seeded.ts';

/** Decides about faults. Prefers points that the seed has seldom reached, and the one that its plan aims at. */
export interface Faults {
  /** Tells whether a fault happens at a point, such as `the commit of settle`. */
  happens(kind: FaultKind, point: string): boolean;
  /** From now on nothing goes wrong any more. */
  end(): void;
}

/** A fault at a point is more likely by the factor divided by how often the seed has been there, but no less likely. */
const SELDOM_FACTOR = 8;
const AIMED_AT = 0.3;

export function createFaults(plan: Plan, seeded: Seeded, { points }: Pick<Coverage, 'points'>): Faults {
  const reached = new Map<string, number>();
  let hasEnded = false;
  return {
    happens(kind, point) {
      const name = `${kind} at ${point}`;
      if (hasEnded || plan[kind] === 0) return false;
      const times = (reached.get(name) ?? 0) + 1;
      reached.set(name, times);
      const probability = plan[kind] * Math.max(1, SELDOM_FACTOR / times);
      const happens = seeded.happens(plan.aim === name ? Math.max(AIMED_AT, probability) : probability);
      const counted = points.get(name) ?? { reached: 0, happened: 0 };
      points.set(name, counted);
      counted.reached++;
      if (happens) counted.happened++;
      return happens;
    },
    end() {
      hasEnded = true;
    },
  };
}
