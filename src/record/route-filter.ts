import type { JsonObject } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';

/** A rule about the routes of an order, in the form of the addition that made it. It is stored with the route. */
export type RouteRule = JsonObject;

/** An upstream, as a rule sees it. */
export interface FilteredRoute {
  /** Name of the engine: the operator's, or that of an account's own upstream key. */
  readonly engine: string;
  /** Kind of engine, as routes of the catalog name it. */
  readonly kind: string;
  readonly model: string | null;
}

/**
 * Excludes routes from orders. A live order never goes to an excluded route: it is not chosen when the order is judged,
 * nor as its next route, and the route of an order is judged again before each submission.
 */
export interface RouteFilter {
  /**
   * Returns the rule that the live orders of a caller carry; null = any route.
   * @param fields the fields of additions in the order; empty for orders in general
   */
  ruleOf(key: OrderingKey, fields: JsonObject): RouteRule | null;
  /** Returns the reason why a rule excludes a route, which names its upstream, for the customer; null = it does not. */
  exclusionOf(rule: RouteRule, route: FilteredRoute): string | null;
  /** Returns the known facts about the upstream of a route, for the customer. */
  describe(route: FilteredRoute): JsonObject;
  /** Reads the rules of accounts and keys at once, after a change in this process. */
  refresh(): Promise<void>;
}

/**
 * The filter of an installation without such an addition. No route fits an order that has a rule from before, or whose
 * client token has fields of additions.
 */
export const NO_FILTER: RouteFilter = {
  ruleOf: ({ client }) => client?.fields ?? null,
  exclusionOf: (_, { kind }) => `${kind}: this service no longer judges such rules`,
  describe: ({ kind }) => ({ engine: kind }),
  refresh: async () => {},
};
