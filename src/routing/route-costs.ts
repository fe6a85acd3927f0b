import { type CatalogRoute, type Model, type ResolvedRequest, statedCost } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { isFreeEngine } from '../catalog/can-serve.ts';
import { coversSomeOrder } from '../catalog/pricing/below-cost.ts';
import { expectedCost, greatestCost } from '../catalog/pricing/order-cost.ts';
import type { PriceFloors } from '../catalog/pricing/price-floor.ts';
import { costMultiplier, mayLose, type Terms } from '../catalog/pricing/terms.ts';
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
    const cost = greatestCost(model, stated, request, payment.measurements, this.#multiplierOf(route));
    return cost !== null && cost > payment.amount();
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
    return costMultiplier(this.#terms, { name, kind: kindOf(this.#engines.get(name) ?? { name }) });
  }
}
