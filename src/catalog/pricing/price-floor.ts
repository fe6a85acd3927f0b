import type { Micros } from '@darkroom-service/contract';
import {
  type CatalogRoute,
  type MediaMeasurement,
  type Model,
  type PricedEngine,
  type Pricing,
  type ResolvedRequest,
  type StatedCost,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { withStandIn } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { ONE, parseDecimal } from './decimal.ts';
import { greatestCost } from './order-cost.ts';
import type { PriceFloor, RoutePrice } from './tariff.ts';
import { mayLose, type Terms, timesExactly } from './terms.ts';

/** A route of the catalog at one of the operator's engines. */
interface PricedPlace {
  readonly route: CatalogRoute;
  readonly engine: PricedEngine;
}

export interface PriceFloorOptions {
  /** Returns the engines whose costs count, in the same array until they change. */
  readonly engines: () => readonly PricedEngine[];
  readonly terms: Pick<Terms, 'belowCost'>;
  /** Tells whether a route to an engine, which it names, has ended. */
  readonly isClosed: (route: CatalogRoute) => boolean;
}

/**
 * The costs of the operator's routes below which orders are not sold. The state of an upstream does not matter, so that
 * prices do not change with it.
 */
export class PriceFloors {
  readonly #options: PriceFloorOptions;
  #engines: readonly PricedEngine[] = [];
  #byModel = new WeakMap<Model, Map<string, PriceFloor>>();

  constructor(options: PriceFloorOptions) {
    this.#options = options;
  }

  /**
   * Returns the costs that orders of a model must cover; null if no route states one, or the operator allows losses.
   * @param multiplier the account's multiplier of prices. Above 1 it raises these prices, too
   * @param fits tells whether the orders may go to a route to an engine, which it names
   */
  of(model: Model, multiplier: string, fits: (route: CatalogRoute) => boolean = () => true): PriceFloor | null {
    const { engines, terms } = this.#options;
    if (mayLose(terms, model.model_id)) return null;
    if (this.#engines !== engines()) {
      this.#engines = engines();
      this.#byModel = new WeakMap();
    }
    const places = placesOf(model, this.#engines).filter(({ route }) => !this.#options.isClosed(route) && fits(route));
    if (!places.some(({ route, engine }) => !engine.isFree && statedCost(route) !== undefined)) return null;
    const share = parseDecimal(multiplier) > ONE ? multiplier : '1';
    const names = places.map(({ route, engine }) => `${engine.name}/${route.model ?? ''}*${engine.multiplier}`);
    const name = [share, ...names].join(' ');
    const known = this.#byModel.get(model) ?? new Map<string, PriceFloor>();
    this.#byModel.set(model, known);
    const floor = known.get(name) ?? floorAt(model, places, share, name);
    known.set(name, floor);
    return floor;
  }
}

function placesOf(model: Model, engines: readonly PricedEngine[]): PricedPlace[] {
  return model.routes.flatMap((route) =>
    engines
      .filter((engine) => engine.kind === route.engine && takesRoute(engine, route))
      .map((engine) => ({ engine, route: engine.name === route.engine ? route : { ...route, engine: engine.name } })),
  );
}

function takesRoute({ needsParameters, models }: PricedEngine, { model = '', parameters }: CatalogRoute): boolean {
  return models?.includes(model) !== false && (parameters !== undefined || !needsParameters);
}

function floorAt(model: Model, places: readonly PricedPlace[], share: string, terms: string): PriceFloor {
  /** Prices of requests without measurements: one order asks several times. */
  const known = new WeakMap<ResolvedRequest, RoutePrice | null>();
  const priced = places.map(({ route, engine }) => ({
    route,
    engine,
    cost: statedCost(route),
    multiplier: timesExactly(engine.multiplier, share),
  }));
  const find = (request: ResolvedRequest, measurements: readonly MediaMeasurement[]): RoutePrice | null => {
    let cheapest: { readonly at: (typeof priced)[number]; readonly cost: StatedCost; readonly amount: Micros } | null =
      null;
    for (const at of priced) {
      if (!takesRequest(at.route, model, request)) continue;
      if (at.engine.isFree) return null;
      if (at.cost === undefined) continue;
      const amount = greatestCost(model, at.cost, request, measurements, at.multiplier);
      if (amount !== null && (cheapest === null || amount < cheapest.amount)) cheapest = { at, cost: at.cost, amount };
    }
    if (cheapest === null) return null;
    const { at, cost, amount } = cheapest;
    const route = { engine: at.engine.kind, model: at.route.model ?? null };
    return { route, pricing: pricingOf(cost), multiplier: at.multiplier, amount };
  };
  return {
    terms,
    share,
    dearest(request, measurements, { above, most }) {
      const prices = priced
        .filter(({ route, engine }) => !engine.isFree && takesRequest(route, model, request))
        .flatMap(({ cost, engine, multiplier }) => {
          const at = (by: string) =>
            cost === undefined ? 0 : (greatestCost(model, cost, request, measurements, by) ?? 0);
          return at(engine.multiplier) > above ? at(multiplier) : [];
        })
        .filter((price) => price <= most);
      return prices.length === 0 ? null : Math.max(...prices);
    },
    takes: (request) => priced.some(({ route }) => takesRequest(route, model, request)),
    cheapest(request, measurements = []) {
      if (measurements.length > 0) return find(request, measurements);
      const found = known.get(request);
      if (found !== undefined) return found;
      const price = find(request, measurements);
      known.set(request, price);
      return price;
    },
  };
}

/** Tells whether a route takes a request, with a prompt if that is not known yet. */
function takesRequest(route: CatalogRoute, model: Model, request: ResolvedRequest): boolean {
  if (unsupportedFields(route, model, request).length === 0) return true;
  const { prompt } = request.values;
  return prompt === null && unsupportedFields(route, model, withStandIn(request)).length === 0;
}

const pricings = new WeakMap<StatedCost, Pricing>();

/** Returns a stated cost as a price list: the same object each time, whose digest is then computed once. */
export function pricingOf(cost: StatedCost): Pricing {
  const known = pricings.get(cost);
  if (known !== undefined) return known;
  const { components, minimum } = cost;
  const pricing = { components, ...(minimum === undefined ? {} : { minimum }) };
  pricings.set(cost, pricing);
  return pricing;
}

/** Returns the lists by which a model's orders may be priced now: its own, and the costs of its routes. */
export function priceListsOf(model: Model | null): readonly Pricing[] {
  if (model === null) return [];
  return [model.pricing, ...model.routes.flatMap((route) => statedCost(route) ?? []).map(pricingOf)];
}
