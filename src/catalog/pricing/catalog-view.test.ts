import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMicros } from '@darkroom-service/contract';
import type { Entry } from '@darkroom-service/contract/catalog';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { toModel } from '../catalog.ts';
import { loadSampleCatalog, loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { catalogEntry } from './catalog-view.ts';
import { priceFrom } from './price-from.ts';
import { quoteRequest } from './quote.ts';

const sample = await loadSampleCatalog();
const shipped = await loadShippedCatalog();
const view = { multiplier: '1', live: false, typicalSeconds: null };

test('an entry shows what callers need, in the order of the documentation, and nothing internal', () => {
  const entry = catalogEntry(modelOf(sample, 'sample-film'), {
    multiplier: '1.5',
    live: true,
    typicalSeconds: { p50: 41, p80: 77 },
  });
  assert.deepEqual(Object.keys(entry), [
    'model_id',
    'aliases',
    'name',
    'vendor',
    'type',
    'description',
    'status',
    'sunset_at',
    'replaced_by',
    'default_config',
    'parameters',
    'required',
    'constraints',
    'supported_features',
    'actions',
    'image_roles',
    'limits',
    'pricing',
    'route_cost',
    'availability',
    'typical_seconds',
    'notes',
  ]);
  assert.deepEqual(entry.availability, { live: true, test: true, batch: false });
  assert.deepEqual(entry.pricing.components[0], {
    per: 'output_second',
    amount: '0.15',
    when: { resolution: '720p', video_input: false },
  });
  assert.equal(entry.pricing.minimum, '0.375');
});

test('each price says who states the vendor’s list price, and prices of batches, which are shares, name nobody', () => {
  const entry: Entry = {
    ...(plainEntry({ model_id: 'stated' }) as unknown as Entry),
    pricing: {
      batch_share: '0.5',
      components: [
        { per: 'image', amount: '0.04' },
        { per: 'input_image', amount: '0.01' },
      ],
    },
    price_sources: [
      { source: 'the vendor', as_of: '2026-11', prices: [1, 2] },
      { source: 'a list 1.2.3', as_of: '2026-11-30', prices: [2] },
    ],
  };
  const { components } = catalogEntry(toModel({ vendor: 'Test' }, structuredClone(entry)), view).pricing;
  const vendor = { source: 'the vendor', as_of: '2026-11' };
  assert.deepEqual(
    components.map(({ amount, sources }) => [amount, sources]),
    [
      ['0.04', [vendor]],
      ['0.02', undefined],
      ['0.01', [vendor, { source: 'a list 1.2.3', as_of: '2026-11-30' }]],
      ['0.005', undefined],
    ],
  );
  assert.equal('sources' in (toModel({ vendor: 'Test' }, structuredClone(entry)).pricing.components[0] ?? {}), false);
});

test('the shipped catalog names a source for three quarters of its prices', () => {
  const components = shipped.models.flatMap((model) => catalogEntry(model, view).pricing.components);
  const standard = components.filter(({ when }) => when?.speed !== 'batch');
  const stated = standard.filter(({ sources }) => sources !== undefined);
  assert.ok(stated.length >= 0.75 * standard.length, `${stated.length} of ${standard.length}`);
});

test('default_config has exactly the keys of parameters', () => {
  for (const model of [...sample.models, ...shipped.models]) {
    const { default_config: defaults, parameters } = catalogEntry(model, view);
    assert.deepEqual(Object.keys(defaults), Object.keys(parameters));
    assert.equal(defaults.num_images, 1);
    assert.equal(defaults.prompt ?? null, null, model.model_id);
  }
});

test('amounts show at least two decimals and at most nine', () => {
  const { pricing } = catalogEntry(modelOf(sample, 'sample-image'), { ...view, multiplier: '0.5' });
  assert.deepEqual(
    pricing.components.map(({ amount }) => amount),
    ['0.015', '0.0075', '0.005', '0.000000001'],
  );
  assert.equal(pricing.minimum, null);
});

test('the price from which a model starts is one that an order can have, and the least of those tried', () => {
  assert.equal(priceFrom({ model: modelOf(sample, 'sample-film') }, '1'), '0.40');
  assert.equal(priceFrom({ model: modelOf(sample, 'sample-image') }, '1'), '0.03');
  assert.equal(priceFrom({ model: modelOf(sample, 'sample-grid') }, '2'), '0.11');
  for (const model of shipped.models) {
    const found = resolveRequest(model, {}, { purpose: 'quote' });
    assert.ok(found.ok);
    const from = Number(priceFrom({ model }, '1'));
    assert.ok(from > 0 && from <= Number(formatMicros(quoteRequest(model, found.request, '1').amount)), model.model_id);
  }
});
