import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import fc from 'fast-check';
import { loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { quoteRequest, settleAmount } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';
import { costMultiplier, installationMultiplier, NO_TERMS, timesExactly } from './terms.ts';

const catalog = await loadShippedCatalog();
const orders = catalog.models.flatMap((model) =>
  [...priceRelevantBodies(model, { components: [] }, 40)].flatMap((body) => {
    const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
    return found.ok && found.request.media.length === 0 ? [{ model, request: found.request }] : [];
  }),
);

const MINIMUM = 'up to the minimum price';

/** A decimal as an exact fraction. */
function fractionOf(text: string): { readonly top: bigint; readonly bottom: bigint } {
  const [whole = '', part = ''] = text.split('.');
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
}

/** Multiplies decimals exactly and rounds the product half up to a micro-dollar, once. */
function productOf(...factors: readonly string[]): number {
  const all = factors.map(fractionOf);
  const top = all.reduce((product, one) => product * one.top, 1_000_000n);
  const bottom = all.reduce((product, one) => product * one.bottom, 1n);
  return Number((2n * top + bottom) / (2n * bottom));
}

test('under any multipliers of installation and account, a fixed size is charged as quoted, and each line is rounded once', () => {
  const decimal = (most: number, decimals: number) =>
    fc.integer({ min: 0, max: most * 10 ** decimals }).map((value) => (value / 10 ** decimals).toFixed(decimals));
  fc.assert(
    fc.property(
      fc.constantFrom(...orders),
      decimal(20, 3),
      decimal(20, 6),
      ({ model, request }, installation, account) => {
        const quote = quoteRequest(model, request, timesExactly(installation, account));
        const listed = quoteRequest(model, request, '1').lines.filter(({ description }) => description !== MINIMUM);
        assert.deepEqual(
          quote.lines.filter(({ description }) => description !== MINIMUM).map(({ amount }) => parseMicros(amount)),
          listed.map((line) => productOf(line.quantity, line.unit_price, installation, account)),
        );
        if (quote.exact) assert.equal(settleAmount({ ...quote, exact: false }, request, []).amount, quote.amount);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the first rule for a model or its vendor counts, and an engine pays by its own name before its kind', () => {
  const terms = {
    ...NO_TERMS,
    prices: [
      { models: 'flux-2-pr?', multiplier: '1.2' },
      { vendor: 'byte*', multiplier: '1.15' },
      { models: '*', multiplier: '1.1' },
    ],
    costs: { fal: '0.9', 'fal-eu': '0.8' },
  };
  const multiplierOf = (name: string) => installationMultiplier(terms, modelOf(catalog, name));
  assert.deepEqual(['flux-2-pro', 'seedance-2.5', 'flux-2-max'].map(multiplierOf), ['1.2', '1.15', '1.1']);
  const paid = (name: string, kind: string) => costMultiplier(terms, { name, kind });
  assert.deepEqual(
    [paid('fal', 'fal'), paid('fal-eu', 'fal'), paid('fal-us', 'fal'), paid('xai', 'xai')],
    ['0.9', '0.8', '0.9', '1'],
  );
});
