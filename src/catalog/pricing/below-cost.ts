import type { BelowCost, Model } from '@darkroom-service/contract/catalog/model';
import { type StatedCost, statedCost } from '@darkroom-service/contract/catalog/price-schema';
import type { CatalogRoute } from '@darkroom-service/contract/catalog/route-map';
import { resolveRequest } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { priceRelevantBodies } from './price-from.ts';
import { quoteRequest } from './quote.ts';

/** How many bodies are tried per route. */
const MOST_BODIES = 2_000;

/**
 * Returns the order of the greatest loss at a route; null if no order costs more than the catalog's price, or the route
 * does not state its cost. Without an account's multiplier.
 */
export function orderBelowCost(model: Model, route: CatalogRoute): BelowCost | null {
  const { losses } = model.compiled;
  let found = losses.get(route);
  if (found === undefined) {
    found = findBelowCost(model, route);
    losses.set(route, found);
  }
  return found;
}

function findBelowCost(model: Model, route: CatalogRoute): BelowCost | null {
  const cost = statedCost(route);
  if (cost === undefined || isSameList(model, cost)) return null;
  const costly = { ...model, pricing: cost };
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
function isSameList({ pricing }: Model, { components, minimum }: StatedCost): boolean {
  return JSON.stringify([pricing.components, pricing.minimum]) === JSON.stringify([components, minimum]);
}
