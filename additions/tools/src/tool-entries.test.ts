import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { judgeDelivery } from '../../../src/catalog/conformity/judge-delivery.ts';
import { measureRequest } from '../../../src/catalog/measure-request.ts';
import { quoteRequest } from '../../../src/catalog/pricing/quote.ts';
import { resolveRequest } from '../../../src/catalog/resolve-request.ts';
import { compareResult } from '../../../src/worker/collect/compare.ts';
import { TOOL_ENTRIES } from './tool-entries.ts';

const catalog = await loadCatalog({ directories: [], added: [TOOL_ENTRIES] });
const model = catalog.find('enlarge');
assert.ok(model !== null);
const MEGAPIXEL = 1_048_576;
const ROUTE = { engine: 'tools', model: 'esrgan-thick', parameters: null, fixed: {} };

/** Returns an order as it is placed, before its image is measured, and the same measured. */
function ordered(factor: number, width: number, height: number) {
  const found = resolveRequest(model!, { image_urls: ['https://example.com/fox.png'], factor }, { purpose: 'create' });
  assert.ok(found.ok);
  const measurements = [{ field: 'image_urls', index: 0, width, height, durationSeconds: null }];
  return { request: found.request, measurements, measured: measureRequest(model!, found.request, measurements) };
}

const sizes = fc
  .record({
    factor: fc.constantFrom(2, 4),
    width: fc.integer({ min: 16, max: 4096 }),
    height: fc.integer({ min: 16, max: 4096 }),
  })
  .filter(({ width, height }) => width * height <= 1.5 * MEGAPIXEL);

test('an image of whatever size is planned as its exact multiple, quoted for at most the largest, and charged as measured', () => {
  fc.assert(
    fc.property(sizes, ({ factor, width, height }) => {
      const { request, measurements, measured } = ordered(factor, width, height);
      assert.deepEqual(measured.faults, []);
      const { output } = measured.request;
      assert.deepEqual([output.width, output.height], [width * factor, height * factor]);
      const most = quoteRequest(model!, request, '1');
      const exact = quoteRequest(model!, measured.request, '1', measurements);
      assert.deepEqual([most.exact, exact.exact, exact.amount <= most.amount], [false, true, true]);
      // The task is stored as it was ordered, and may be collected by another process.
      const stored = {
        key: 'fox',
        contentType: 'image/png',
        bytes: 1,
        width,
        height,
        durationSeconds: null,
        hasAudio: null,
      };
      const media = [{ field: 'image_urls', index: 0, kind: 'image' as const, url: null, stored }];
      const quote = {
        amount: most.amount,
        lines: most.lines,
        basis: most.basis,
        tariff: { digest: '', multiplier: '1' },
      };
      const came = { ...stored, ...output, sha256: '', thumbnailKey: null, seed: null, revisedPrompt: null };
      const verdict = compareResult(
        { request, media, route: ROUTE, quote },
        { model, pricing: model!.pricing },
        [{ ...came, durationSeconds: null }],
        { further: 0, named: {} },
      );
      assert.ok(verdict.isAsOrdered);
      assert.deepEqual([verdict.charge.amount, verdict.warnings], [exact.amount, []]);
    }),
  );
});

test('an enlargement that comes back smaller than ordered is told with both sizes', () => {
  const { request, measurements } = ordered(4, 100, 80);
  const came = { contentType: 'image/png', durationSeconds: null, hasAudio: null, tiles: null };
  const order = { request, route: ROUTE, measurements, model };
  const small = judgeDelivery(order, { ...came, width: 200, height: 160 });
  assert.deepEqual(small.short.size, { width: 200, height: 160 });
  assert.deepEqual(small.warnings, [{ code: 'smaller', field: 'factor', ordered: '400x320', delivered: '200x160' }]);
  assert.deepEqual(judgeDelivery(order, { ...came, width: 400, height: 320 }).warnings, []);
});

test('an image beyond the limits is refused with its size', () => {
  const messages = [ordered(2, 1600, 1200), ordered(2, 15, 300)].map(({ measured }) => measured.faults[0]?.message);
  assert.deepEqual(messages, [
    'The size is 1600x1200; the maximum is 1.5 megapixels.',
    'The size is 15x300; each side must have at least 16 pixels.',
  ]);
});
