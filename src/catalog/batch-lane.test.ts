import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMicros, type JsonObject } from '@darkroom-service/contract';
import type { Entry, Model } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { plainEntry } from '../../test/helpers/plain-entry.ts';
import { hasBatchLane } from './batch-lane.ts';
import { toModel } from './catalog.ts';
import { checkEntry } from './check-entry.ts';
import { loadShippedCatalog } from './fixtures/sample-catalog.ts';
import { orderBelowCost } from './pricing/below-cost.ts';
import { priceFrom } from './pricing/price-from.ts';
import { quoteRequest, settleAmount } from './pricing/quote.ts';
import { priceRelevantBodies } from './pricing/relevant-bodies.ts';
import { resolveRequest } from './resolve-request.ts';
import { unsupportedFields } from './route-coverage.ts';

const { models } = await loadShippedCatalog();
const withLane = models.filter(hasBatchLane);

const modelWith = (changes: object): Model =>
  toModel(
    { vendor: 'Test' },
    structuredClone({ ...plainEntry({ model_id: 'laned' }), ...changes }) as unknown as Entry,
  );
const LANE = {
  engine: 'openai-batch',
  model: 'fox',
  lane: 'batch',
  parameters: { prompt: 'prompt' },
  covers: ['aspect_ratio'],
};
const RATES = { price: '1', cost: '1' };
const PRICED = { components: [{ per: 'image', amount: '0.01' }], batch_share: '0.5' };

function requestOf(model: Model, body: JsonObject) {
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
  return found.ok ? found.request : null;
}

/** Any order of a model with a lane, without media. */
const orders = fc.constantFrom(...withLane).chain((model) => {
  const bodies = priceRelevantBodies(model)
    .filter((body) => !('image_urls' in body) && requestOf(model, body) !== null)
    .take(200)
    .toArray();
  return fc.record({
    model: fc.constant(model),
    body: fc.constantFrom(...bodies),
    prompt: fc.string({ minLength: 1 }),
  });
});
const multipliers = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`);
const billionths = (text: string, decimals: number) => {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(decimals, '0'));
};

test('speed batch costs half of each line before it is rounded, at any multiplier, and is charged as quoted', () => {
  fc.assert(
    fc.property(orders, multipliers, ({ model, body, prompt }, multiplier) => {
      const [standard, batch] = ['standard', 'batch'].map((speed) => requestOf(model, { ...body, prompt, speed }));
      if (!standard || !batch) return;
      const [full, half] = [quoteRequest(model, standard, multiplier), quoteRequest(model, batch, multiplier)];
      assert.equal(half.lines.length, full.lines.length);
      for (const [index, line] of half.lines.entries()) {
        const ordinary = full.lines[index] ?? assert.fail();
        assert.equal(line.quantity, ordinary.quantity);
        assert.equal(2n * billionths(line.unit_price, 18), billionths(ordinary.unit_price, 18));
        const product = billionths(line.quantity, 9) * billionths(line.unit_price, 18);
        assert.equal(line.amount, formatMicros(Number((product + 5n * 10n ** 20n) / 10n ** 21n)));
      }
      assert.equal(settleAmount(half, batch, []).amount, half.amount);
    }),
  );
});

test('an order takes a route of its speed, and no other', () => {
  for (const model of withLane) {
    for (const speed of ['standard', 'batch'] as const) {
      const request = requestOf(model, { speed }) ?? assert.fail(model.model_id);
      const able = model.routes.filter((route) => unsupportedFields(route, model, request).length === 0);
      assert.ok(able.length > 0, `${model.model_id} ${speed}`);
      for (const { lane } of able) assert.equal(lane, speed === 'batch' ? 'batch' : undefined, model.model_id);
    }
  }
});

test('the batch lane of no shipped model is sold below its cost, and the lowest price is that of standard speed', () => {
  assert.ok(withLane.length > 0);
  for (const model of withLane) {
    for (const route of model.routes.filter(({ lane }) => lane !== undefined)) {
      assert.equal(orderBelowCost(model, route, RATES), null, model.model_id);
      assert.equal(route.cost !== undefined && 'components' in route.cost, true, model.model_id);
    }
  }
  assert.equal(priceFrom({ model: modelWith({ routes: [LANE], pricing: PRICED }) }, '1'), '0.01');
  const dear = {
    ...LANE,
    cost: { as_of: '2026-11-25', source: 'a test', components: [{ per: 'image', amount: '0.006' }] },
  };
  const model = modelWith({ routes: [dear], pricing: PRICED });
  assert.deepEqual(orderBelowCost(model, model.routes[0] ?? assert.fail(), RATES), {
    example: { speed: 'batch' },
    price: 5_000,
    cost: 6_000,
    seconds: null,
    isEveryOrder: true,
  });
});

test('an entry is told what its lane lacks', () => {
  const { parameters } = plainEntry({ model_id: 'laned' });
  const speed = { type: 'string', enum: ['fast'], default: 'fast', description: 'Its own.' };
  const [amount] = PRICED.components;
  const faulty: readonly (readonly [changes: object, fault: RegExp])[] = [
    [{ routes: [LANE] }, /need each other/],
    [{ pricing: PRICED }, /need each other/],
    [{ routes: [LANE], pricing: PRICED, parameters: { ...parameters, speed } }, /speed is added/],
    [{ routes: [LANE], pricing: { ...PRICED, minimum: '0.01' } }, /minimum cannot be combined/],
    [{ routes: [LANE], pricing: { ...PRICED, components: [{ ...amount, amount: '0.000000001' }] } }, /nine decimals/],
  ];
  for (const [changes, fault] of faulty) assert.match(checkEntry(modelWith(changes)).join('\n'), fault);
  assert.deepEqual(checkEntry(modelWith({ routes: [LANE], pricing: PRICED })), []);
});
