import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import { type CatalogRoute, type Model, type ResolvedRequest, statedCost } from '@darkroom-service/contract/catalog';
import { loadShippedCatalog } from '../fixtures/sample-catalog.ts';
import { resolveRequest, withPrompt } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { orderBelowCost } from './below-cost.ts';
import { greatestCost } from './order-cost.ts';
import { quoteRequest } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

/** Sizes that their vendor does not make, at its price; each has a note in the catalog. */
const UNSOLD = ['flux-2-klein-4b', 'ideogram-v4'];

test('each order of the shipped catalog has a route that costs no more than its price, but for two known kinds', async () => {
  const unsold = new Set<string>();
  for (const model of (await loadShippedCatalog()).models) {
    for (const route of model.routes) {
      if (orderBelowCost(model, route, { price: '1', cost: '1' }) === null) continue;
      const bodies = priceRelevantBodies(model, {
        components: statedCost(route)?.components ?? [],
        when: route.when ?? {},
      });
      for (const body of bodies) if (isUnsold(model, body)) unsold.add(model.model_id);
    }
  }
  assert.deepEqual([...unsold].toSorted(), UNSOLD);
});

/** Tells whether each route that takes an order costs more than its price. */
function isUnsold(model: Model, body: JsonObject): boolean {
  const found = resolveRequest(model, body, { purpose: 'quote' });
  const request = found.ok ? withPrompt(found) : null;
  if (request === null) return false;
  const able = model.routes.filter((route) => unsupportedFields(route, model, request).length === 0);
  const price = quoteRequest(model, request, '1').amount;
  return able.length > 0 && able.every((route) => (costAt(model, route, request) ?? 0) > price);
}

function costAt(model: Model, route: CatalogRoute, request: ResolvedRequest): number | null {
  const cost = statedCost(route);
  return cost === undefined ? null : greatestCost(model, cost, request, [], '1');
}
