import type { JsonObject } from '@darkroom-service/contract';
import {
  type BelowCost,
  type CatalogRoute,
  type Model,
  type PricedBody,
  type ResolvedRequest,
  type StatedCost,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { hasBatchLane, pricesAt } from '../batch-lane.ts';
import { type Resolution, resolveRequest, withPrompt } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { ONE, parseDecimal } from './decimal.ts';
import { greatestCost } from './order-cost.ts';
import { priceRequest } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';
import type { PriceFloor } from './tariff.ts';

/** The multipliers of a model's prices and of its orders' costs at an engine. */
export interface Rates {
  readonly price: string;
  readonly cost: string;
  /** The costs below which the model's orders are not sold; absent = none. */
  readonly floor?: PriceFloor | null;
}

/**
 * Returns the order of the greatest loss at a route; null if no order costs more than its price, or the route does not
 * state its cost.
 */
export function orderBelowCost(model: Model, route: CatalogRoute, rates: Rates): BelowCost | null {
  const cost = statedCost(route);
  if (cost === undefined) return null;
  const losses = ordersAt(model, route, rates).flatMap((order) => lossOf(model, cost, order, rates) ?? []);
  const worst = losses.reduce<Loss | null>((most, one) => (one.loss > (most?.loss ?? 0n) ? one : most), null);
  if (worst === null) return null;
  const request = takenOf(model, route, resolveRequest(model, worst.body, { purpose: 'quote' }));
  if (request === null) return null;
  return {
    example: worst.body,
    price: Math.max(priceRequest(model, request, rates.price), rates.floor?.cheapest(request)?.amount ?? 0),
    cost: greatestCost(model, cost, request, [], rates.cost) ?? 0,
    seconds: request.output.durationSeconds,
    isEveryOrder: losses.every(({ loss }) => loss > 0n),
  };
}

/** Returns an order for which a route that states costs states none; null if there is none. */
export function orderOfUnknownCost(model: Model, route: CatalogRoute, rates: Rates): JsonObject | null {
  return ordersAt(model, route, rates).find(({ cost }) => cost === null)?.body ?? null;
}

/** Tells whether an order may cover its cost at a route. True if the cost is unknown. */
export function coversSomeOrder(model: Model, route: CatalogRoute, rates: Rates): boolean {
  const cost = statedCost(route);
  const orders = ordersAt(model, route, rates);
  if (cost === undefined || orders.length === 0) return true;
  return orders.some((order) => (lossOf(model, cost, order, rates)?.loss ?? 0n) <= 0n);
}

/** The resolutions of bodies tried for a model, by the body as JSON. */
export type TriedBodies = Map<string, Resolution>;

/**
 * Searches the orders of each price and cost that a route takes, once per model and route. Tries one body in each step.
 * Afterwards the functions above answer at once.
 * @param tried results for other routes of the same model, most of which take the same bodies
 */
export function* searchOrders(
  model: Model,
  route: CatalogRoute,
  rates: Rates,
  tried: TriedBodies = new Map(),
): Generator<null> {
  const cost = statedCost(route);
  if (cost === undefined || model.compiled.ordersAt.has(cost) || isCovered(model, route, cost, rates)) return;
  const found = new Map<string, PricedBody>();
  const { components, minimum } = cost;
  for (const body of priceRelevantBodies(model, { components, minimum, when: route.when ?? {} })) {
    const name = JSON.stringify(body);
    const resolution = tried.get(name) ?? resolveRequest(model, body, { purpose: 'quote' });
    tried.set(name, resolution);
    const request = takenOf(model, route, resolution);
    if (request !== null) {
      const price = priceRequest(model, request, '1');
      const charged = greatestCost(model, cost, request, [], '1');
      const amounts = `${price} ${charged}`;
      if (!found.has(amounts)) found.set(amounts, { body, price, cost: charged, request });
    }
    yield null;
  }
  model.compiled.ordersAt.set(cost, [...found.values()]);
}

/** Returns the orders to compare; empty if every price surely covers its cost, or the route states none. */
function ordersAt(model: Model, route: CatalogRoute, rates: Rates): readonly PricedBody[] {
  for (const _tried of searchOrders(model, route, rates));
  const cost = statedCost(route);
  if (cost === undefined || isCovered(model, route, cost, rates)) return [];
  return model.compiled.ordersAt.get(cost) ?? [];
}

/** Tells whether prices cover all costs. Most routes cost the same as the catalog charges: the vendor's price list. */
function isCovered(model: Model, route: CatalogRoute, { components, minimum }: StatedCost, rates: Rates): boolean {
  if (parseDecimal(rates.price) < parseDecimal(rates.cost)) return false;
  const prices = hasBatchLane(model) ? pricesAt(model.pricing, route.lane !== undefined) : model.pricing;
  return JSON.stringify([prices.components, prices.minimum]) === JSON.stringify([components, minimum]);
}

interface Loss {
  readonly body: JsonObject;
  /** Loss in billionths of a micro-dollar. */
  readonly loss: bigint;
}

/** Returns null if the cost is unknown. */
function lossOf(model: Model, stated: StatedCost, order: PricedBody, rates: Rates): Loss | null {
  const { body, price, cost, request } = order;
  if (cost === null) return null;
  const floor = rates.floor?.cheapest(request) ?? null;
  // Prices that follow a cost are rounded as that is.
  if (floor !== null && floor.amount >= (greatestCost(model, stated, request, [], rates.cost) ?? 0))
    return { body, loss: 0n };
  const paid = BigInt(price) * parseDecimal(rates.price);
  const least = floor === null ? 0n : BigInt(floor.amount) * ONE;
  return { body, loss: BigInt(cost) * parseDecimal(rates.cost) - (least > paid ? least : paid) };
}

/** Returns a body's request, with a prompt if the route needs one; null if the route does not take it. */
function takenOf(model: Model, route: CatalogRoute, found: Resolution): ResolvedRequest | null {
  if (!found.ok) return null;
  const takes = (request: ResolvedRequest | null) =>
    request !== null && unsupportedFields(route, model, request).length === 0;
  if (takes(found.request)) return found.request;
  const prompted = withPrompt(found);
  return takes(prompted) ? prompted : null;
}
