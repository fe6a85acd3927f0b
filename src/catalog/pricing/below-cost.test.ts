import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Schema, type StatedCost, statedCost } from '@darkroom-service/contract/catalog';
import { changedModel, loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { orderBelowCost, orderOfUnknownCost, searchOrders } from './below-cost.ts';
import { expectedCost, greatestCost, reportedAmount, routeOfOrder } from './order-cost.ts';
import { quoteRequest } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

const catalog = await loadShippedCatalog();
/** The engines that are free by their kind (`isFree`, `repeatable`). */
const OWN_MACHINE = new Set(['sketch', 'local', 'comfyui', 'sd-server']);
const LIST = { price: '1', cost: '1' };

const STATED = { as_of: '2026-11-21', source: 'a test', components: [] };
const BY_NOTHING = { request: null };

/** A shipped model whose first route costs what is said. */
function costing(modelId: string, components: StatedCost['components']) {
  const shipped = modelOf(catalog, modelId);
  const [first] = shipped.routes;
  assert.ok(first !== undefined);
  const route = { ...first, cost: { as_of: '2026-11-21', source: 'a test', components } };
  const model = changedModel(shipped, { routes: [route] });
  return { model, route };
}

test('a route that costs what its model is sold for is not below cost, one that costs more for some orders is', () => {
  const { components } = modelOf(catalog, 'grok-imagine-image-2.0').pricing;
  const same = costing('grok-imagine-image-2.0', [...components]);
  assert.equal(orderBelowCost(same.model, same.route, LIST), null);
  const cheaper = costing('grok-imagine-image-2.0', [{ per: 'image', amount: '0.04' }]);
  assert.equal(orderBelowCost(cheaper.model, cheaper.route, LIST), null);
  const dearer = costing('grok-imagine-image-2.0', [{ per: 'image', amount: '0.07', when: { resolution: '1k' } }]);
  const worst = orderBelowCost(dearer.model, dearer.route, LIST);
  assert.deepEqual([worst?.price, worst?.cost], [40_000, 70_000]);
  assert.equal(worst?.example.quality, 'low');
});

test('a loss is found at a route for orders with media, and one that grows with their number', () => {
  const model = modelOf(catalog, 'veo-3.1');
  const source = { as_of: '2026-11-21', source: 'a test' };
  const route = { engine: 'fal', when: { mode: 'first_last_frame' }, covers: ['first_frame_url', 'last_frame_url'] };
  const cost = { ...source, components: [{ per: 'clip' as const, amount: '99' }] };
  const { example } = orderBelowCost(model, { ...route, cost }, LIST) ?? assert.fail();
  assert.deepEqual([example.first_frame_url, example.last_frame_url], ['upload:any', 'upload:any']);
  const { model: edits, route: each } = costing('grok-imagine-image-2.0', [
    { per: 'image', amount: '0.01' },
    { per: 'input_image', amount: '0.025' },
  ]);
  const { maxItems: most = 1 } = (edits.parameters.image_urls ?? {}) as Schema;
  assert.ok(most > 1);
  assert.deepEqual(orderBelowCost(edits, each, LIST)?.example.image_urls, Array(most).fill('upload:any'));
});

test('an order of which a price list states no cost is no loss, and is named', () => {
  const { model, route } = costing('grok-imagine-image-2.0', [
    { per: 'image', amount: '0.001', when: { resolution: '2k' } },
  ]);
  assert.equal(orderBelowCost(model, route, LIST), null);
  assert.notEqual(orderOfUnknownCost(model, route, LIST)?.resolution, '2k');
  const complete = costing('grok-imagine-image-2.0', [{ per: 'image', amount: '0.001' }]);
  assert.equal(orderOfUnknownCost(complete.model, complete.route, LIST), null);
});

test('no length between the shortest and the longest costs more beyond its price than the worst order that was found', () => {
  const dear = { price: '1', cost: '2' };
  let compared = 0;
  for (const model of catalog.models) {
    const { enum: lengths = [] } = (model.parameters.duration ?? {}) as Schema;
    for (const route of model.routes) {
      const worst = orderBelowCost(model, route, dear);
      const cost = statedCost(route);
      if (worst === null || cost === undefined || worst.example.duration === undefined) continue;
      for (const duration of lengths) {
        const found = resolveRequest(model, { ...worst.example, duration }, { purpose: 'quote' });
        if (!found.ok || unsupportedFields(route, model, found.request).length > 0) continue;
        const price = quoteRequest(model, found.request, '1').amount;
        const paid: number = greatestCost(model, cost, found.request, [], '2') ?? 0;
        assert.ok(paid - price <= worst.cost - worst.price, `${model.model_id} at ${route.engine}: ${duration}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 250, `${compared}`);
});

test('a length between and a default that is sent are not tried, so that the first look at all costs takes a moment', () => {
  const model = modelOf(catalog, 'seedance-2.5');
  const { enum: lengths = [], default: usual } = (model.parameters.duration ?? {}) as Schema;
  const tried = new Set([...priceRelevantBodies(model)].map(({ duration }) => duration));
  assert.ok(lengths.length > 20 && !tried.has(usual as number));
  assert.deepEqual([...tried], [undefined, -1, 4, 30]);
});

test('orders are found at each route of the shipped catalog that states its cost', () => {
  const dear = { price: '1', cost: '2' };
  const none = catalog.models.flatMap((model) =>
    model.routes.flatMap((route, index) => {
      for (const _tried of searchOrders(model, route, dear));
      const cost = statedCost(route);
      const found = cost === undefined ? null : model.compiled.ordersAt.get(cost);
      return found?.length === 0 ? [`${model.model_id}, route ${index}`] : [];
    }),
  );
  assert.deepEqual(none, []);
});

test('each route of the shipped catalog to an upstream says what an order costs, or that it is unknown', () => {
  const silent = catalog.models.flatMap(({ model_id, routes }) =>
    routes.flatMap(({ engine, cost }) =>
      cost === undefined && !OWN_MACHINE.has(engine) ? [`${model_id} at ${engine}`] : [],
    ),
  );
  assert.deepEqual(silent, []);
});

test('each file of the shipped catalog with a route to an upstream says when its prices were read', () => {
  const undated = catalog.models
    .filter(({ routes }) => routes.some(({ engine }) => !OWN_MACHINE.has(engine)))
    .flatMap((model) => (model.prices_as_of === null ? [model.model_id] : []));
  assert.deepEqual(undated, []);
});

test('each route of the shipped catalog that states its cost says when and where it was read, and costs its default order', () => {
  let stated = 0;
  for (const model of catalog.models) {
    const found = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'quote' });
    if (!found.ok) continue;
    for (const route of model.routes) {
      if (route.cost === undefined) continue;
      if (statedCost(route) !== undefined) stated++;
      assert.ok(Date.parse(route.cost.as_of) <= Date.now(), `${model.model_id} ${route.cost.as_of}`);
      const taken = { engine: route.engine, model: route.model ?? null };
      const chosen = routeOfOrder(model, taken, found.request);
      if (chosen === undefined) continue;
      const expected = expectedCost(statedCost(chosen), found.request, [], '1');
      assert.ok(expected === null || expected > 0, `${model.model_id} at ${route.engine}`);
    }
  }
  assert.ok(stated >= 100, `${stated}`);
});

test('an order to which no line of the price list applies has no expected cost', () => {
  const { model, route } = costing('grok-imagine-image-2.0', [
    { per: 'image', amount: '0.07', when: { resolution: '2k' } },
  ]);
  const found = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'quote' });
  assert.ok(found.ok);
  assert.equal(expectedCost(route.cost, found.request, [], '1'), null);
});

test('what an upstream told is converted exactly and rounded once', () => {
  assert.equal(reportedAmount({ usd: '0.02' }, BY_NOTHING, '1'), 20_000);
  assert.equal(reportedAmount({ usd: '0.0000005' }, BY_NOTHING, '1'), 1);
  assert.equal(reportedAmount({ usd: '0.000000499999999' }, BY_NOTHING, '1'), 0);
  assert.equal(reportedAmount({ usd: '123456789.123456' }, BY_NOTHING, '1'), 123_456_789_123_456);
  assert.equal(
    reportedAmount({ units: '3.008' }, { cost: { ...STATED, unit_price: '0.03' }, request: null }, '1'),
    90_240,
  );
  assert.equal(reportedAmount({ units: '3' }, BY_NOTHING, '1'), null);
});
