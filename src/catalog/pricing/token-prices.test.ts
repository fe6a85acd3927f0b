import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatMicros, type JsonObject } from '@darkroom-service/contract';
import type { MediaMeasurement, Model, Schema } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { measureRequest } from '../measure-request.ts';
import { resolveRequest } from '../resolve-request.ts';
import { priceFrom } from './price-from.ts';
import { priceOfDelivered } from './price-of-delivered.ts';
import { quoteRequest, settleAmount } from './quote.ts';

const catalog = await loadShippedCatalog();
const models = catalog.models.filter(({ model_id }) => model_id.startsWith('gpt-image-'));
const [two, newer] = [modelOf(catalog, 'gpt-image-2'), modelOf(catalog, 'gpt-image-2.5-flare')];
const qualitiesOf = (model: Model) =>
  ((model.parameters.quality as Schema | undefined)?.enum ?? []) as readonly string[];

function requestOf(model: Model, body: JsonObject) {
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
  return found.request;
}

/** The price of the picture alone: the prompt is a line of its own. */
function pictureOf(model: Model, size: string, quality: string): string {
  return quoteRequest(model, requestOf(model, { size, quality }), '1').lines[0]?.amount ?? '';
}

test('a picture of GPT Image costs what the calculator of its vendor says, for 2.5 and 2.6 what fal lists', () => {
  // Each quality of 2 from low on, then of 2.5 and 2.6.
  const prices: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
    '1024x1024': [
      ['0.00588', '0.05268', '0.21072'],
      ['0.00588', '0.01317', '0.05268', '0.09366', '0.21072'],
    ],
    '1536x1024': [
      ['0.00474', '0.04116', '0.16464'],
      ['0.00474', '0.01029', '0.04116', '0.07377', '0.16464'],
    ],
    '1024x1536': [
      ['0.00474', '0.04116', '0.16464'],
      ['0.00474', '0.01029', '0.04116', '0.07377', '0.16464'],
    ],
    '1024x768': [
      ['0.00402', '0.03612', '0.14445'],
      ['0.00402', '0.00903', '0.03612', '0.0642', '0.14445'],
    ],
    '1536x864': [
      ['0.0036', '0.03234', '0.12936'],
      ['0.0036', '0.0084', '0.03234', '0.05751', '0.12936'],
    ],
    '2048x1152': [
      ['0.00471', '0.04239', '0.1695'],
      ['0.00471', '0.01101', '0.04239', '0.07533', '0.1695'],
    ],
    '2560x1440': [
      ['0.00615', '0.05529', '0.2211'],
      ['0.00615', '0.01434', '0.05529', '0.09828', '0.2211'],
    ],
    '2048x2048': [
      ['0.01191', '0.10704', '0.42816'],
      ['0.01191', '0.02676', '0.10704', '0.19029', '0.42816'],
    ],
    '3840x2160': [
      ['0.01113', '0.10008', '0.40026'],
      ['0.01113', '0.02595', '0.10008', '0.1779', '0.40026'],
    ],
  };
  for (const model of models)
    for (const [size, [ofTwo, ofNewer]] of Object.entries(prices)) {
      const found = qualitiesOf(model).map((quality) => pictureOf(model, size, quality));
      assert.deepEqual(found, model === two ? ofTwo : ofNewer, `${model.model_id} ${size}`);
    }
  assert.equal(models.length, 5);
});

test('the lines show tokens, price and calculation', () => {
  const body = { prompt: 'a red fox', size: '1536x1024', quality: 'medium', image_urls: ['upload:a', 'upload:b'] };
  const { lines, amount } = quoteRequest(two, requestOf(two, body), '1.5');
  assert.deepEqual(
    lines.map((line) => Object.values(line)),
    [
      [
        '1372 image tokens, medium quality: ⌈48 × round(48 × 1024 ÷ 1536) × (2000000 + 1536 × 1024) ÷ 4000000⌉',
        'formula',
        '1372',
        '0.000045',
        '0.06174',
      ],
      ['3 prompt tokens: ⌈9 bytes ÷ 4⌉', 'formula', '3', '0.0000075', '0.000023'],
      ['3072 input image tokens: 2 × 1536', 'formula', '3072', '0.000012', '0.036864'],
    ],
  );
  assert.equal(formatMicros(amount), '0.098627');
});

test('video tokens count the seconds of input and output: the most while a video is not measured, then the measured', () => {
  const model = modelOf(catalog, 'seedance-2.0');
  const clip = { field: 'reference_video_urls', index: 0, width: 1280, height: 720, durationSeconds: 4 };
  const request = requestOf(model, { resolution: '720p', duration: 5, reference_video_urls: ['upload:clip'] });
  const quote = quoteRequest(model, request, '1');
  const settled = settleAmount(quote, measureRequest(model, request, [clip]).request, [clip]);
  assert.deepEqual(
    [formatMicros(quote.amount), quote.exact, formatMicros(settled.amount)],
    ['1.8576', false, '0.83592'],
  );
  assert.deepEqual(settled.lines, [
    {
      description: '194400 video tokens at 720p, with input video: 9 s × 1280 × 720 × 24 ÷ 1024',
      unit: 'formula',
      quantity: '194400',
      unit_price: '0.0000043',
      amount: '0.83592',
    },
  ]);
});

test('a picture of MAI Image costs its 1024 tokens and the prompt', () => {
  const priced = ['mai-image-2.6', 'mai-image-2.6-flash'].map((name) => {
    const model = modelOf(catalog, name);
    return formatMicros(quoteRequest(model, requestOf(model, {}), '1').amount);
  });
  assert.deepEqual(priced, ['0.038922', '0.019466']);
});

test('the lowest price is that of the narrowest small picture', () => {
  assert.deepEqual([priceFrom({ model: two }, '1'), priceFrom({ model: newer }, '1')], ['0.00162', '0.00162']);
});

describe('of every order with a formula', () => {
  const side = fc.integer({ min: 64, max: 4096 });
  const multiplier = fc.constantFrom('1', '1.15', '0.333');
  const anyModel = fc.constantFrom(...models);
  const size = fc
    .tuple(fc.integer({ min: 30, max: 240 }), fc.integer({ min: 30, max: 240 }))
    .map(([wide, high]) => ({ width: wide * 16, height: high * 16 }))
    .filter(({ width, height }) => width * height >= 655_360 && width * height <= 8_294_400)
    .filter(({ width, height }) => Math.max(width, height) <= 3 * Math.min(width, height));
  const images = fc.array(fc.record({ width: side, height: side }), { maxLength: 4 });
  const measured = (list: readonly { width: number; height: number }[]): MediaMeasurement[] =>
    list.map((one, index) => ({ field: 'image_urls', index, ...one, durationSeconds: null }));
  const bodyOf = (list: readonly object[], body: JsonObject): JsonObject =>
    list.length === 0 ? body : { ...body, image_urls: list.map((_, index) => `upload:${index}`) };

  test('a fixed size is charged as quoted, and no higher quality is cheaper', () => {
    fc.assert(
      fc.property(
        anyModel,
        size,
        images,
        multiplier,
        fc.string({ minLength: 1 }),
        (model, sides, given, times, tail) => {
          let before = 0;
          for (const quality of qualitiesOf(model)) {
            const body = bodyOf(given, { prompt: `a ${tail}`, size: `${sides.width}x${sides.height}`, quality });
            const request = requestOf(model, body);
            const quote = quoteRequest(model, request, times);
            assert.equal(quote.exact, true);
            const { request: known } = measureRequest(model, request, measured(given));
            assert.equal(settleAmount({ ...quote, exact: false }, known, measured(given)).amount, quote.amount);
            assert.ok(quote.amount >= before);
            before = quote.amount;
          }
        },
      ),
    );
  });

  test('a size that follows the first image is quoted as the dearest of its tier, and charged as what it became', () => {
    fc.assert(
      fc.property(anyModel, fc.constantFrom('1K', '2K', '4K'), side, side, (model, resolution, width, height) => {
        fc.pre(Math.max(width, height) <= 8 * Math.min(width, height));
        const given = [{ width, height }];
        const quality = qualitiesOf(model).at(-1) ?? '';
        const request = requestOf(model, bodyOf(given, { resolution, quality }));
        const quote = quoteRequest(model, request, '1');
        assert.equal(quote.exact, false);
        const known = measureRequest(model, request, measured(given)).request;
        const charged = settleAmount(quote, known, measured(given)).amount;
        assert.ok(charged <= quote.amount);
        assert.equal(charged, quoteRequest(model, known, '1', measured(given)).amount);
        const square = measureRequest(model, request, measured([{ width: 512, height: 512 }])).request;
        assert.equal(settleAmount(quote, square, measured(given)).amount, quote.amount);
      }),
    );
  });

  test('a picture of another size costs as many tokens as it has, at most the quote', () => {
    fc.assert(
      fc.property(anyModel, size, side, side, (model, sides, width, height) => {
        const request = requestOf(model, { size: `${sides.width}x${sides.height}` });
        const quote = quoteRequest(model, request, '1');
        const order = { request, measurements: [], route: { parameters: {}, fixed: {} }, model };
        const short = { size: { width, height }, seconds: null, isSilent: false };
        const { amount } = priceOfDelivered(quote, order, short) ?? { amount: Number.NaN };
        const derived = { ...request.derived, width, height, output_pixels: width * height };
        assert.equal(amount, Math.min(quote.amount, quoteRequest(model, { ...request, derived }, '1').amount));
      }),
    );
  });
});
