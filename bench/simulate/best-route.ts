import { isLong, type Opened, stateOf } from '../../src/routing/circuit.ts';
import { pickRoute } from '../../src/routing/pick-route.ts';

/**
 * Returns the upstream for an order, of those that make its model.
 * @param chance from 0 up to 1
 */
export function bestRoute(
  upstreams: readonly number[],
  circuitOf: (upstream: number) => Opened | null,
  now: number,
  chance: number,
): number {
  const routes = upstreams.map((upstream) => ({ engine: String(upstream), upstream }));
  const rankOf = ({ upstream }: (typeof routes)[number]) => {
    const opened = circuitOf(upstream);
    // The next order of one that is half open is the test order.
    if (opened === null || stateOf(opened, now) === 'half_open') return 0;
    return isLong(opened) ? 2 : 1;
  };
  const measures = { rankOf, weightOf: () => 1, costOf: () => null, secondsOf: () => null };
  return pickRoute(routes, 'order', measures, chance)?.upstream ?? 0;
}
