import {
  type CatalogRoute,
  type Model,
  type Quote,
  type ResolvedRequest,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { isFreeEngine } from '../catalog/can-serve.ts';
import { coversSomeOrder } from '../catalog/pricing/below-cost.ts';
import { expectedCost, greatestCost } from '../catalog/pricing/order-cost.ts';
import { type PriceFloors, pricingOf } from '../catalog/pricing/price-floor.ts';
import { quoteAtRoute } from '../catalog/pricing/quote.ts';
import { costMultiplier, mayLose, type Terms, timesExactly } from '../catalog/pricing/terms.ts';
import { isKeyed } from '../record/owned-instance.ts';
import type { Payment } from '../record/route.ts';

/** Costs of orders at their routes, by the stated costs of the catalog and the operator's terms. */
export class RouteCosts {
  readonly #engines: ReadonlyMap<string, Engine>;
  readonly #terms: Pick<Terms, 'costs' | 'belowCost'>;

  readonly #floors: PriceFloors;

  constructor(engines: ReadonlyMap<string, Engine>, terms: Pick<Terms, 'costs' | 'belowCost'>, floors: PriceFloors) {
    this.#engines = engines;
    this.#terms = terms;
    this.#floors = floors;
  }

  expected(route: CatalogRoute, request: ResolvedRequest): ReturnType<typeof expectedCost> {
    return expectedCost(statedCost(route), request, [], this.#multiplierOf(route));
  }

  /** Tells whether an order would cost the operator more at the route than it pays. */
  isBelowCost(model: Model, route: CatalogRoute, request: ResolvedRequest, payment: Payment): boolean {
    const stated = statedCost(route);
    if (stated === undefined || !this.#canLose(model, route)) return false;
    const costAt = (multiplier: string) => greatestCost(model, stated, request, payment.measurements, multiplier) ?? 0;
    const multiplier = this.#multiplierOf(route);
    const cost = costAt(multiplier);
    if (cost === 0) return false;
    const { amount, consent } = payment.quote();
    if (cost <= amount || consent === undefined) return cost > amount;
    return costAt(timesExactly(multiplier, consent.share)) > consent.highest;
  }

  /**
   * Returns the price of an order at a route whose cost is above its quote, if its caller allows that; null = the quote
   * counts.
   */
  dearerQuote(model: Model, route: CatalogRoute, request: ResolvedRequest, payment: Payment | null): Quote | null {
    const stated = statedCost(route);
    if (payment?.allowsDearer !== true || stated === undefined || !this.#canLose(model, route)) return null;
    const { amount, consent } = payment.quote();
    const { measurements } = payment;
    const multiplier = this.#multiplierOf(route);
    const cost = greatestCost(model, stated, request, measurements, multiplier);
    if (consent === undefined || cost === null || cost <= amount) return null;
    const taken = { engine: this.#kindOf(route.engine), model: route.model ?? null };
    const price = { pricing: pricingOf(stated), multiplier: timesExactly(multiplier, consent.share), route: taken };
    return quoteAtRoute(model, request, price, measurements);
  }

  /**
   * Tells whether some order pays its cost at the route.
   * @param price multiplier of the catalog's price
   * @param fits tells whether the orders may go to a route
   */
  coversSomeOrder(model: Model, route: CatalogRoute, price: string, fits: (route: CatalogRoute) => boolean): boolean {
    if (!this.#canLose(model, route)) return true;
    const floor = this.#floors.of(model, '1', fits);
    return coversSomeOrder(model, route, { price, cost: this.#multiplierOf(route), floor });
  }

  /**
   * Tells whether orders of a route can cost the operator more than they pay: not if they are free for the operator, or
   * if the operator allows it.
   */
  #canLose(model: Model, { engine: name }: CatalogRoute): boolean {
    const engine = this.#engines.get(name);
    return engine !== undefined && !isKeyed(name) && !isFreeEngine(engine) && !mayLose(this.#terms, model.model_id);
  }

  #multiplierOf({ engine: name }: CatalogRoute): ReturnType<typeof costMultiplier> {
    return costMultiplier(this.#terms, { name, kind: this.#kindOf(name) });
  }

  #kindOf(engine: string): string {
    return kindOf(this.#engines.get(engine) ?? { name: engine });
  }
}
