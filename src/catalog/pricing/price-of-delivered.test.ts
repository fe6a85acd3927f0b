import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatMicros, type JsonObject, parseMicros } from '@darkroom-service/contract';
import type { Quote, QuoteLine } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { judgeDelivery } from '../conformity/judge-delivery.ts';
import { asPlanned, plannedOrders } from '../fixtures/planned-orders.ts';
import { changedModel, loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { type DeliveredOrder, priceOfDelivered } from './price-of-delivered.ts';
import { quoteAt, quoteRequest } from './quote.ts';

const shipped = await loadShippedCatalog();
const sumOf = (lines: readonly QuoteLine[]) =>
  lines.reduce((sum, line) => sum + (parseMicros(line.amount) ?? Number.NaN), 0);

interface Came {
  readonly scale: number;
  readonly seconds: number;
}

/**
 * What an order costs of which a part of the ordered size and length came; the quote if nothing is short. The part has
 * the ordered ratio to the pixel where the price is a formula, which the ratio changes.
 */
function charged(quote: Quote, order: DeliveredOrder, { scale, seconds }: Came) {
  const { request } = order;
  const planned = asPlanned(request);
  const byFormula = quote.basis.pricing.components.some(({ per }) => per === 'formula');
  const step = byFormula ? greatestDivisor(planned.width ?? 0, planned.height ?? 0) : 1;
  const part = (side: number | null) =>
    byFormula
      ? Math.max(1, Math.round(step * scale)) * ((side ?? 0) / step)
      : Math.max(16, Math.round((side ?? 0) * scale));
  const delivered = {
    ...planned,
    width: part(planned.width),
    height: part(planned.height),
    durationSeconds: planned.durationSeconds === null ? null : planned.durationSeconds * seconds,
  };
  const { short } = judgeDelivery(order, delivered);
  const isShort = short.size !== null || short.seconds !== null;
  const priced = isShort ? priceOfDelivered(quote, order, short) : null;
  return { isShort, priced: priced !== null, ...(priced ?? { amount: quote.amount, lines: quote.lines }) };
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

test('whatever comes of whatever is ordered: never above the quote, the quote if nothing is short, and more never costs more than the quote or less than less', () => {
  const orders = plannedOrders(shipped.models).map((order) => ({ ...order, measurements: [] }));
  const part = fc.double({ min: 0.05, max: 1.5, noNaN: true });
  const came = fc.record({ scale: part, seconds: part });
  const unpriced = new Set<string>();
  let short = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...orders),
      fc.constantFrom('1', '1.15', '0.333'),
      came,
      came,
      (order, multiplier, one, other) => {
        const quote = quoteRequest(order.model, order.request, multiplier);
        const more = { scale: Math.max(one.scale, other.scale), seconds: Math.max(one.seconds, other.seconds) };
        const [less, most] = [charged(quote, order, one), charged(quote, order, more)];
        for (const each of [less, most]) {
          assert.ok(each.amount <= quote.amount && each.amount >= 0);
          assert.equal(sumOf(each.lines), each.amount);
          if (!each.isShort) assert.equal(each.amount, quote.amount);
          if (each.isShort) short++;
          if (each.isShort && !each.priced) unpriced.add(order.model.model_id);
        }
        assert.ok(less.amount <= most.amount, `${less.amount}, more costs ${most.amount}`);
        const full = charged(quote, order, { scale: 1 + one.scale, seconds: 1 + one.seconds });
        assert.equal(full.amount, quote.amount);
      },
    ),
    { numRuns: 2_000 },
  );
  assert.ok(short > 500, `${short} were short`);
  assert.deepEqual([...unpriced], []);
});

describe('the price of what came', () => {
  const cases: readonly [string, JsonObject, { size?: string; seconds?: number }, string, string][] = [
    // Per second, as measured.
    ['seedance-2.0-mini', { resolution: '480p', duration: 10 }, { seconds: 3 }, '0.35154', '0.105462'],
    // The dearest tier that the picture satisfies, else the smallest.
    ['nano-banana-2.1', { resolution: '4K' }, { size: '2048x2048' }, '0.1134', '0.0504'],
    ['nano-banana-2.1', { resolution: '4K' }, { size: '512x512' }, '0.1134', '0.0336'],
    // Size and length.
    ['grok-imagine-video-1.5', { resolution: '1080p', duration: 10 }, { size: '848x480', seconds: 5 }, '2.50', '0.40'],
    // A listed length.
    ['hailuo-2.3', { resolution: '768P', duration: 10 }, { seconds: 6.2 }, '0.56', '0.28'],
    ['hailuo-2.3', { resolution: '768P', duration: 10 }, { seconds: 2 }, '0.56', '0.28'],
  ];
  for (const [name, body, { size, seconds = null }, quoted, expected] of cases)
    test(`${name} ${JSON.stringify(body)}: ${size ?? ''} ${seconds ?? ''} costs ${expected} of ${quoted}`, () => {
      const model = modelOf(shipped, name);
      const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
      assert.ok(found.ok);
      const quote = quoteRequest(model, found.request, '1');
      const [width = 0, height = 0] = (size ?? '').split('x').map(Number);
      const short = { size: size === undefined ? null : { width, height }, seconds, isSilent: false };
      const route = { parameters: {}, fixed: {} };
      const priced = priceOfDelivered(quote, { request: found.request, measurements: [], route, model }, short);
      assert.deepEqual([formatMicros(quote.amount), formatMicros(priced?.amount ?? 0)], [quoted, expected]);
    });

  const model = modelOf(shipped, 'nano-banana-2.1');
  const order = (body: JsonObject): DeliveredOrder => {
    const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
    assert.ok(found.ok);
    return { request: found.request, measurements: [], route: { parameters: {}, fixed: {} }, model };
  };
  const small = { size: { width: 512, height: 512 }, seconds: null, isSilent: false };

  test("only the share of an own key's fee falls", () => {
    const fee = { amount: 20_000, share: '0.1' };
    const quote = quoteAt(model, order({ resolution: '4K' }).request, { fee });
    const priced = priceOfDelivered(quote, order({ resolution: '4K' }), small);
    assert.deepEqual([formatMicros(quote.amount), formatMicros(priced?.amount ?? 0)], ['0.03134', '0.02336']);
  });

  test('is not known where no component of the list matches it', () => {
    const components = model.pricing.components.map((one) => ({ ...one, when: { resolution: ['4K'] } }));
    const changed = changedModel(model, { pricing: { components: components.slice(0, 1) } });
    const ordered = { ...order({ resolution: '4K' }), model: changed };
    assert.equal(priceOfDelivered(quoteRequest(changed, ordered.request, '1'), ordered, small), null);
  });

  test('is found by the price list alone once the model has left the catalog', () => {
    const ordered = { ...order({ resolution: '4K' }), model: null };
    const quote = quoteRequest(model, ordered.request, '1');
    assert.equal(formatMicros(priceOfDelivered(quote, ordered, small)?.amount ?? 0), '0.0336');
  });
});
