import type { BelowCost, Model, PricedBody } from '@darkroom-service/contract/catalog/model';
import { type StatedCost, statedCost } from '@darkroom-service/contract/catalog/price-schema';
import type { CatalogRoute } from '@darkroom-service/contract/catalog/route-map';
import { resolveRequest } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { parseDecimal } from './decimal.ts';
import { greatestCost } from './order-cost.ts';
import { priceRelevantBodies } from './price-from.ts';
import { quoteRequest } from './quote.ts';

/** How many bodies are tried per route. */
const MOST_BODIES = 2_000;

/** The multipliers of a model's prices and of what its orders cost at an engine. */
export interface Rates {
  readonly price: string;
  readonly cost: string;
}

/**
 * Returns the order of the greatest loss at a route; null if no order costs more than its price, or the route does not
 * state its cost.
 */
export function orderBelowCost(model: Model, route: CatalogRoute, rates: Rates): BelowCost | null {
  const cost = statedCost(route);
  if (cost === undefined || isCovered(model, cost, rates)) return null;
  const bodies = bodiesAt(model, route, cost);
  const losses = bodies.map((body) => lossOf(body, rates));
  const greatest = losses.reduce((most, loss) => (loss > most ? loss : most), 0n);
  const worst = bodies[losses.indexOf(greatest)];
  const found = worst === undefined || greatest === 0n ? null : resolveRequest(model, worst.body, { purpose: 'quote' });
  if (worst === undefined || found?.ok !== true) return null;
  return {
    example: worst.body,
    price: quoteRequest(model, found.request, rates.price).amount,
    cost: greatestCost(model, cost, found.request, [], rates.cost) ?? 0,
    seconds: found.request.output.durationSeconds,
    isEveryOrder: losses.every((loss) => loss > 0n),
  };
}

/** Tells whether an order may pay its cost at a route. True if that is unknown. */
export function coversSomeOrder(model: Model, route: CatalogRoute, rates: Rates): boolean {
  const cost = statedCost(route);
  if (cost === undefined || isCovered(model, cost, rates)) return true;
  const bodies = bodiesAt(model, route, cost);
  return bodies.length === 0 || bodies.some((body) => lossOf(body, rates) <= 0n);
}

/** Most routes cost what the catalog charges: the vendor's price list. */
function isCovered({ pricing }: Model, { components, minimum }: StatedCost, { price, cost }: Rates): boolean {
  if (parseDecimal(price) < parseDecimal(cost)) return false;
  return JSON.stringify([pricing.components, pricing.minimum]) === JSON.stringify([components, minimum]);
}

/** In billionths of a micro-dollar. */
function lossOf({ price, cost }: PricedBody, rates: Rates): bigint {
  return BigInt(cost) * parseDecimal(rates.cost) - BigInt(price) * parseDecimal(rates.price);
}

/** Returns orders that the route takes, one of each price and cost. Tried once per model and route. */
function bodiesAt(model: Model, route: CatalogRoute, cost: StatedCost): readonly PricedBody[] {
  const { bodiesAt: known } = model.compiled;
  const found = known.get(cost) ?? priceBodies(model, route, cost);
  known.set(cost, found);
  return found;
}

function priceBodies(model: Model, route: CatalogRoute, cost: StatedCost): readonly PricedBody[] {
  const found = new Map<string, PricedBody>();
  for (const body of priceRelevantBodies(model, cost.components, MOST_BODIES)) {
    const resolved = resolveRequest(model, body, { purpose: 'quote' });
    if (!resolved.ok || unsupportedFields(route, model, resolved.request).length > 0) continue;
    const price = quoteRequest(model, resolved.request, '1').amount;
    const charged = greatestCost(model, cost, resolved.request, [], '1');
    if (charged === null) continue;
    const name = `${price} ${charged}`;
    if (!found.has(name)) found.set(name, { body, price, cost: charged });
  }
  return [...found.values()];
}
