import type { JsonObject } from '../base/canonical-json.ts';
import type { Micros } from '../base/money.ts';
import type { Model } from '../catalog/model.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import { unsupportedFields } from '../catalog/route-coverage.ts';
import type { CatalogRoute } from '../catalog/route-map.ts';
import { priceRelevantBodies } from './price-from.ts';
import { quoteRequest } from './quote.ts';

/** An order that costs more at a route's upstream than the catalog's price. */
interface BelowCost {
  /** What is ordered, beside the prompt. */
  readonly example: JsonObject;
  readonly price: Micros;
  readonly cost: Micros;
}

/** How many bodies are tried per route. */
const MOST_BODIES = 2_000;

/** Beside the route, which is plain data: a search may try thousands of bodies. */
const known = new WeakMap<CatalogRoute, BelowCost | null>();

/**
 * Returns the order of the greatest loss at a route; null if no order costs more than the catalog's price, or the route
 * does not state its cost. Without an account's multiplier.
 */
export function orderBelowCost(model: Model, route: CatalogRoute): BelowCost | null {
  let found = known.get(route);
  if (found === undefined) {
    found = findBelowCost(model, route);
    known.set(route, found);
  }
  return found;
}

function findBelowCost(model: Model, route: CatalogRoute): BelowCost | null {
  const { cost } = route;
  if (cost === undefined || isSameList(model, cost)) return null;
  const costly: Model = { ...model, pricing: cost };
  let worst: BelowCost | null = null;
  for (const body of priceRelevantBodies(model, cost.components, MOST_BODIES)) {
    const resolved = resolveRequest(model, body, { purpose: 'quote' });
    if (!resolved.ok || unsupportedFields(route, model, resolved.request).length > 0) continue;
    const price = quoteRequest(model, resolved.request, '1').amount;
    const charged = quoteRequest(costly, resolved.request, '1').amount;
    if (charged <= price || charged - price <= (worst === null ? 0 : worst.cost - worst.price)) continue;
    worst = { example: body, price, cost: charged };
  }
  return worst;
}

/** Most routes cost what the catalog charges: the vendor's price list. */
function isSameList({ pricing }: Model, { components, minimum }: NonNullable<CatalogRoute['cost']>): boolean {
  return JSON.stringify([pricing.components, pricing.minimum]) === JSON.stringify([components, minimum]);
}
