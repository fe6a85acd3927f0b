import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogRoute } from '@darkroom-service/contract/catalog';
import { loadSampleCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { resolveRequest } from './resolve-request.ts';
import { unsupportedFields } from './route-coverage.ts';

const PICTURE = 'https://example.com/a.png';

async function unsaid(route: Omit<CatalogRoute, 'engine'>, body: Readonly<Record<string, unknown>>): Promise<string[]> {
  const model = modelOf(await loadSampleCatalog(), 'sample-image');
  const found = resolveRequest(model, { prompt: 'a fox', ...body } as never, { purpose: 'create' });
  assert.ok(found.ok, JSON.stringify(found));
  return unsupportedFields({ engine: 'example', ...route }, model, found.request).map(({ param }) => param ?? '');
}

test('a field that is mapped beside another is covered only if the other is sent', async () => {
  const parameters = { prompt: 'prompt', image_urls: { to: 'styles', shape: { url: '$', seed: '$seed' } } };
  assert.deepEqual(await unsaid({ parameters }, { image_urls: [PICTURE], seed: 7 }), []);
  assert.deepEqual(await unsaid({ parameters }, { image_urls: [PICTURE] }), []);
  assert.deepEqual(await unsaid({ parameters }, { seed: 7 }), ['seed']);
});

test('an order that lacks a field required by its route is told which one', async () => {
  const model = modelOf(await loadSampleCatalog(), 'sample-image');
  const found = resolveRequest(model, { prompt: 'a fox' } as never, { purpose: 'create' });
  assert.ok(found.ok, JSON.stringify(found));
  const route = {
    engine: 'example',
    when: { seed: { present: true } },
    parameters: { prompt: 'prompt', seed: 'seed' },
  };
  const [fault] = unsupportedFields(route, model, found.request);
  assert.equal(fault?.param, 'seed');
  assert.match(String(fault?.message), /^No configured engine supports an order without seed/);
});

test('a derived value that a route cannot handle is reported by its source field', async () => {
  assert.deepEqual(await unsaid({ when: { prompt_characters: { max: 3 } } }, {}), ['prompt']);
  assert.deepEqual(await unsaid({ when: { prompt_characters: { max: 5 } } }, {}), []);
  assert.deepEqual(await unsaid({ when: { prompt_characters: { max: 3 } } }, { prompt: '🦊🦊🦊' }), []);
  assert.deepEqual(await unsaid({ when: { output_pixels: { max: 1 } } }, {}), ['resolution']);
});
