import type { EngineInstance } from '@darkroom-service/engines';

/** Policies for the choice among routes that are equally ready. */
export const ROUTE_POLICIES = ['order', 'weighted', 'cheapest', 'fastest'] as const;
export type RoutePolicy = (typeof ROUTE_POLICIES)[number];

/** Measures that the policies compare. Each is called only by the policy that needs it. */
interface RouteMeasures<Route> {
  /** Rank of a route's state; 0 is the best. Routes in a worse state than another are never chosen. */
  readonly rankOf: (route: Route) => number;
  readonly weightOf: (route: Route) => number;
  /** Cost of an order at a route; null: not known. */
  readonly costOf: (route: Route) => number | null;
  /** Median duration, in seconds; null: too few orders were measured. */
  readonly secondsOf: (route: Route) => number | null;
}

/** The share of orders that the policy `fastest` gives to routes without a measured duration. */
const MEASURING_SHARE = 0.05;

/**
 * Chooses one of the routes, which are in the order of the catalog and of the operator's file.
 * @param chance a random number from 0 up to 1
 * @returns undefined if there is no route
 */
export function pickRoute<Route extends { readonly engine: string }>(
  routes: readonly Route[],
  policy: RoutePolicy,
  measures: RouteMeasures<Route>,
  chance: number,
): Route | undefined {
  const ready = bestOf(routes, measures.rankOf);
  if (ready.length <= 1 || policy === 'order') return ready[0];
  if (policy === 'weighted') return drawn(ready, measures.weightOf, chance);
  if (policy === 'cheapest') return lowest(ready, measures.costOf);
  const unmeasured = ready.filter((route) => measures.secondsOf(route) === null);
  if (chance < MEASURING_SHARE && unmeasured.length > 0)
    return unmeasured[Math.floor((chance / MEASURING_SHARE) * unmeasured.length)];
  return lowest(ready, measures.secondsOf);
}

/**
 * Returns the instances of one kind that an account's orders may go to.
 * @param account null = any account: nothing is pinned or excluded
 */
export function instancesFor<Named extends { readonly instance?: EngineInstance }>(
  instances: readonly Named[],
  account: string | null,
): readonly Named[] {
  if (account === null || instances.every(({ instance }) => instance === undefined)) return instances;
  const pinned = instances.filter(({ instance }) => instance?.pinnedAccounts.includes(account));
  if (pinned.length > 0) return pinned;
  return instances.filter(
    ({ instance }) => !instance?.excludedAccounts.some((excluded) => excluded === '*' || excluded === account),
  );
}

function bestOf<Route>(routes: readonly Route[], rankOf: (route: Route) => number): readonly Route[] {
  if (routes.length <= 1) return routes;
  const ranks = routes.map(rankOf);
  const best = Math.min(...ranks);
  return routes.filter((_, index) => ranks[index] === best);
}

/** Draws a route by weight. Several routes of one instance count its weight once. */
function drawn<Route extends { readonly engine: string }>(
  routes: readonly Route[],
  weightOf: (route: Route) => number,
  chance: number,
): Route | undefined {
  const first = routes.filter(({ engine }, index) => routes.findIndex((other) => other.engine === engine) === index);
  const total = first.reduce((sum, route) => sum + weightOf(route), 0);
  let left = chance * total;
  const found = first.find((route) => {
    const weight = weightOf(route);
    left -= weight;
    return weight > 0 && left < 0;
  });
  // Without any weight, the first route is chosen. Sums of fractions may leave a remainder.
  return found ?? (total > 0 ? first.findLast((route) => weightOf(route) > 0) : first[0]);
}

/** Returns the first route with the lowest known value; the first of all if none is known. */
function lowest<Route>(routes: readonly Route[], measureOf: (route: Route) => number | null): Route | undefined {
  const values = routes.map((route) => measureOf(route) ?? Number.POSITIVE_INFINITY);
  return routes[values.indexOf(Math.min(...values))];
}
