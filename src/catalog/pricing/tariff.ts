import type { Micros } from '@darkroom-service/contract';
import type { MediaMeasurement, PricedRoute, Pricing, ResolvedRequest } from '@darkroom-service/contract/catalog';

/** The operator's fee for an order with the account's own upstream key. */
interface KeyFee {
  /** Fixed fee per order. */
  readonly amount: Micros;
  /** Share of the catalog's price: a decimal such as `"0.05"`. */
  readonly share: string;
}

/** The price of an order by the cost of a route. */
export interface RoutePrice {
  readonly route: PricedRoute;
  /** The cost as a price list. */
  readonly pricing: Pricing;
  readonly multiplier: string;
  readonly amount: Micros;
}

/** The costs below which orders of a model are not sold. */
export interface PriceFloor {
  /** Changes with everything, besides the catalog, on which the costs depend. */
  readonly terms: string;
  /** Tells whether one of the routes takes an order. */
  takes(request: ResolvedRequest): boolean;
  /** Returns the price by the cheapest route of an order; null if no route raises its price. */
  cheapest(request: ResolvedRequest, measurements?: readonly MediaMeasurement[]): RoutePrice | null;
  /** Multiplier of the costs beside that of their engine: that of the account, at least 1. */
  readonly share: string;
  /**
   * Returns the highest price by a route of an order whose cost is above a quote, and whose price is not above a limit;
   * null = there is none.
   */
  dearest(
    request: ResolvedRequest,
    measurements: readonly MediaMeasurement[],
    range: { readonly above: Micros; readonly most: Micros },
  ): Micros | null;
}

/**
 * The tariff of an order: the multiplier of the catalog's price with the costs that it must cover, or the fee for the
 * account's own upstream key.
 */
export type Tariff = { readonly multiplier: string; readonly floor?: PriceFloor | null } | { readonly fee: KeyFee };
