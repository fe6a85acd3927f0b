import { pickRoute } from '../../src/routing/pick-route.ts';
import { isLong, type Shut, stateOf } from '../../src/routing/valve.ts';

/**
 * Returns the upstream for an order, of those that make its model.
 * @param chance from 0 up to 1
 */
export function bestRoute(
  upstreams: readonly number[],
  shutOf: (upstream: number) => Shut | null,
  now: number,
  chance: number,
): number {
  const routes = upstreams.map((upstream) => ({ engine: String(upstream), upstream }));
  const rankOf = ({ upstream }: (typeof routes)[number]) => {
    const shut = shutOf(upstream);
    // The next order of one that is half open is the test order.
    if (shut === null || stateOf(shut, now) === 'on_trial') return 0;
    return isLong(shut) ? 2 : 1;
  };
  const measures = { rankOf, weightOf: () => 1, costOf: () => null, secondsOf: () => null };
  return pickRoute(routes, 'order', measures, chance)?.upstream ?? 0;
}
