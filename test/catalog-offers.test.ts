import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { type Catalog, loadCatalog } from '../src/catalog/catalog.ts';
import { listOffers, missingOffers } from './catalog-offers.ts';

suite('What others offer and the catalog lacks', () => {
  let catalog: Catalog;

  before(async () => {
    catalog = await loadCatalog({ directories: [join(import.meta.dirname, '..', 'catalog')] });
  });

  const missing = (text: string) => missingOffers(listOffers(text), catalog.models);

  test("OpenRouter's answer: a model of the catalog is known by its name, a new one is listed once", () => {
    const ids = ['openai/gpt-image-2.5-flare', 'x-ai/grok-imagine-99', 'x-ai/grok-imagine-99', 'recraft/recraft-v4.1'];
    const answer = JSON.stringify({ data: ids.map((id) => ({ id, supported_parameters: {} })) });

    assert.deepEqual(missing(answer), ['x-ai/grok-imagine-99']);
  });

  test("a listing of Comfy Router's schemas: routes are known in spite of a date, other files are not read", () => {
    const listing = [
      'router-schemas/byteplus/seedream-5-0-pro-260628.json',
      'router-schemas/ideogram/ideogram-v4.json',
      'docs/router-schemas/ideogram/ideogram-99.json',
      '',
    ].join('\n');

    assert.deepEqual(missing(listing), ['ideogram/ideogram-99']);
  });

  test('a version is no date: another version of a known model is listed', () => {
    assert.deepEqual(missing('kling/kling-v99\nideogram/ideogram-v4'), ['kling/kling-v99']);
  });

  test('a JSON answer without a list of ids is refused with what was expected', () => {
    assert.throws(() => listOffers('{"error": "Unauthorized"}'), /expected \{ "data".*found no "data"/);
    assert.throws(() => listOffers('{"data": [{"name": "x"}]}'), /expected an "id"/);
  });
});
