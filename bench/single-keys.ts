/**
 * Prints, for the key of each single upstream, how many models of the catalog an installation with that key alone
 * offers, sells and refuses, by which basis their orders are priced, and how many orders would lose money.
 *
 *     node bench/single-keys.ts
 */
import { type Model, type ResolvedRequest, statedCost } from '@darkroom-service/contract/catalog';
import type { Engine } from '@darkroom-service/engines';
import { canServe } from '../src/catalog/can-serve.ts';
import { isOver } from '../src/catalog/ends.ts';
import { loadShippedCatalog } from '../src/catalog/fixtures/sample-catalog.ts';
import { greatestCost, routeOfOrder } from '../src/catalog/pricing/order-cost.ts';
import { quoteAt } from '../src/catalog/pricing/quote.ts';
import { priceRelevantBodies } from '../src/catalog/pricing/relevant-bodies.ts';
import { resolveRequest, withStandIn } from '../src/catalog/resolve-request.ts';
import { unsupportedFields } from '../src/catalog/route-coverage.ts';
import { createRouting } from '../src/routing/routing.ts';
import { ENGINE_SWITCHES } from '../src/service/config/engine-variables.ts';

/** The most bodies that are tried of a model. */
const MOST_BODIES = 400;

const { models } = await loadShippedCatalog();
const rows = Object.keys(ENGINE_SWITCHES).map((kind) => ({ engine: kind, ...countAt(kind) }));
console.table(rows.filter(({ offered }) => offered > 0));

/** Counts the models and the tried orders that an installation with one engine makes. */
function countAt(kind: string) {
  const engine = { name: kind, needsParameters: true } as Engine;
  const valves = { of: () => null, pausedSince: () => null };
  const routing = createRouting(new Map([[kind, engine]]), valves, { live: null, now: () => Date.now() });
  const count = { offered: 0, sold: 0, refused: 0, orders: 0, 'by list': 0, 'by route cost': 0, losses: 0 };
  for (const model of models) {
    if (model.status === 'retired') continue;
    const requests = requestsAt(model, engine);
    if (requests.length === 0) continue;
    let sold = 0;
    for (const request of requests) {
      const quote = quoteAt(model, request, { multiplier: '1', floor: routing.floor(model, '1', null) });
      const payment = { measurements: [], allowsDearer: false, quote: () => ({ amount: quote.amount }) };
      const { route } = routing.routeFor(model, 'live', request, { account: 'any', payment });
      if (route === null) continue;
      sold++;
      count[quote.basis.route === undefined ? 'by list' : 'by route cost']++;
      const cost = statedCost(routeOfOrder(model, route, request) ?? {});
      if (cost !== undefined && (greatestCost(model, cost, request, [], '1') ?? 0) > quote.amount) count.losses++;
    }
    count.offered++;
    count.orders += sold;
    count[sold === requests.length ? 'sold' : 'refused']++;
  }
  return count;
}

/** Returns the requests of a model that a route to an engine takes. */
function requestsAt(model: Model, engine: Engine): ResolvedRequest[] {
  const routes = model.routes.filter(
    (route) => route.engine === engine.name && canServe(engine, route) && !isOver(route, Date.now()),
  );
  const components = routes.flatMap((route) => statedCost(route)?.components ?? []);
  return [...priceRelevantBodies(model, { components }, MOST_BODIES)].flatMap((body) => {
    const found = resolveRequest(model, body, { purpose: 'quote' });
    if (!found.ok) return [];
    const request = withStandIn(found.request);
    return routes.some((route) => unsupportedFields(route, model, request).length === 0) ? [request] : [];
  });
}
