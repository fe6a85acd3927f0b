import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Model, type PricedEngine, statedCost } from '@darkroom-service/contract/catalog';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { changedModel, loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { greatestCost } from './order-cost.ts';
import { PriceFloors } from './price-floor.ts';
import { priceFrom } from './price-from.ts';
import { quoteAt, quoteRequest, settleAmount } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

const catalog = await loadShippedCatalog();
const orders = catalog.models.flatMap((model) =>
  [...priceRelevantBodies(model, { components: [] }, 25)].flatMap((body) => {
    const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
    return found.ok ? [{ model, request: found.request }] : [];
  }),
);
const KINDS = [...new Set(catalog.models.flatMap(({ routes }) => routes.map(({ engine }) => engine)))].sort();

const engine = (kind: string, multiplier = '1', more: Partial<PricedEngine> = {}): PricedEngine => ({
  name: kind,
  kind,
  multiplier,
  isFree: false,
  needsParameters: false,
  models: null,
  ...more,
});
const floorAt = (model: Model, engines: readonly PricedEngine[], account = '1', belowCost: readonly string[] = []) =>
  new PriceFloors({ engines: () => engines, terms: { belowCost }, isClosed: () => false }).of(model, account);

const anyMultiplier = (most: number) =>
  fc.integer({ min: 0, max: most * 1_000 }).map((value) => (value / 1_000).toFixed(3));
const anyOrder = fc.record({
  order: fc.constantFrom(...orders),
  kinds: fc.uniqueArray(fc.tuple(fc.constantFrom(...KINDS), anyMultiplier(3)), {
    selector: ([kind]) => kind,
    minLength: 1,
    maxLength: 6,
  }),
  account: anyMultiplier(3),
});

test('an order pays the larger of its list price and the cheapest known cost, whatever multiplier its account has', () => {
  let raised = 0;
  fc.assert(
    fc.property(anyOrder, ({ order: { model, request }, kinds, account }) => {
      const engines = kinds.map(([kind, multiplier]) => engine(kind, multiplier));
      const quote = quoteAt(model, request, { multiplier: account, floor: floorAt(model, engines, account) });
      const costs = model.routes.flatMap((route) => {
        const at = engines.find(({ kind }) => kind === route.engine);
        const cost = statedCost(route);
        if (at === undefined || cost === undefined || unsupportedFields(route, model, request).length > 0) return [];
        return greatestCost(model, cost, request, [], at.multiplier) ?? [];
      });
      const listed = quoteRequest(model, request, account).amount;
      assert.ok(quote.amount >= listed);
      if (costs.length > 0) assert.ok(quote.amount >= Math.min(...costs), `${quote.amount} for ${Math.min(...costs)}`);
      if (Number(account) <= 1) assert.equal(quote.amount, Math.max(listed, costs.length > 0 ? Math.min(...costs) : 0));
      assert.equal(quote.basis.route !== undefined, quote.amount > listed);
      if (quote.exact) assert.equal(settleAmount({ ...quote, exact: false }, request, []).amount, quote.amount);
      if (quote.basis.route !== undefined) raised++;
      const allowed = { multiplier: account, floor: floorAt(model, engines, account, [model.model_id]) };
      assert.equal(quoteAt(model, request, allowed).amount, listed);
    }),
    { numRuns: rounds(3_000) },
  );
  assert.ok(raised > 100, `${raised}`);
});

test('a price never falls as costs or multipliers rise, and never rises as a further engine is set up', () => {
  fc.assert(
    fc.property(
      anyOrder,
      anyMultiplier(2),
      fc.constantFrom(...KINDS),
      ({ order: { model, request }, kinds, account }, more, another) => {
        const engines = kinds.map(([kind, multiplier]) => engine(kind, multiplier));
        const price = (at: readonly PricedEngine[], share: string) =>
          quoteAt(model, request, { multiplier: share, floor: floorAt(model, at, share) }).amount;
        const now = price(engines, account);
        const add = (one: string) => (Number(one) + Number(more)).toFixed(3);
        assert.ok(price(engines, add(account)) >= now);
        const dearer = engines.map((one) => ({ ...one, multiplier: add(one.multiplier) }));
        assert.ok(price(dearer, account) >= now);
        // Before, the list price counted for want of a known cost.
        if ((floorAt(model, engines)?.cheapest(request) ?? null) !== null)
          assert.ok(price([...engines, engine(another, more, { name: 'another' })], account) <= now);
      },
    ),
    { numRuns: rounds(2_000) },
  );
});

test('free routes, routes of unknown cost, ended and excluded ones and engines that do not serve the model raise no price', () => {
  const model = modelOf(catalog, 'seedance-2.5');
  const found = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'create' });
  assert.ok(found.ok);
  const { request } = found;
  const listed = quoteRequest(model, request, '1').amount;
  const amountAt = (at: Model, engines: readonly PricedEngine[]) =>
    quoteAt(at, request, { multiplier: '1', floor: floorAt(at, engines) }).amount;
  assert.ok(amountAt(model, [engine('fal')]) > listed);
  assert.equal(amountAt(model, [engine('fal', '1', { isFree: true })]), listed);
  assert.equal(amountAt(model, [engine('fal'), engine('fal', '1', { name: 'own', isFree: true })]), listed);
  assert.equal(amountAt(model, [engine('fal', '1', { models: [] })]), listed);
  const routes = model.routes.map(({ cost: _cost, ...route }) => ({
    ...route,
    cost: { as_of: '2026-11-25', unknown: 'a page without a price' },
  }));
  assert.equal(amountAt(changedModel(model, { routes }), [engine('fal')]), listed);
  const closed = new PriceFloors({ engines: () => [engine('fal')], terms: { belowCost: [] }, isClosed: () => true });
  assert.equal(closed.of(model, '1'), null);
  const open = new PriceFloors({ engines: () => [engine('fal')], terms: { belowCost: [] }, isClosed: () => false });
  assert.ok((open.of(model, '1')?.cheapest(request)?.amount ?? 0) > listed);
  assert.equal(
    open.of(model, '1', ({ engine: name }) => name !== 'fal'),
    null,
    'its orders may not go there',
  );
});

test('no order of a model is cheaper than its lowest price, with a key of any one upstream', () => {
  for (const kind of KINDS) {
    for (const { model, request } of orders) {
      const floor = floorAt(model, [engine(kind)]);
      if (floor === null || !floor.takes(request) || request.values.speed === 'batch') continue;
      const from = Math.round(Number(priceFrom({ model, floor }, '1')) * 1_000_000);
      const { amount } = quoteAt(model, request, { multiplier: '1', floor });
      assert.ok(from <= amount, `${model.model_id} at ${kind}: ${from} > ${amount}`);
    }
  }
});
