import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatMicros, type JsonObject, parseMicros } from '@darkroom-service/contract';
import type { MediaMeasurement, Model, Quote, ResolvedRequest } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { changedModel, loadSampleCatalog, loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { measureRequest } from '../measure-request.ts';
import { resolveAction } from '../resolve-action.ts';
import { resolveRequest } from '../resolve-request.ts';
import { priceRequest, quoteRequest, settleAmount } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

const sample = await loadSampleCatalog();
const shipped = await loadShippedCatalog();
const image = modelOf(sample, 'sample-image');
const film = modelOf(sample, 'sample-film');
const SOURCE = 'https://example.com/medium';

function requestOf(model: Model, body: JsonObject): ResolvedRequest {
  const found = resolveRequest(model, { prompt: 'a', ...body }, { purpose: 'create' });
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
  return found.request;
}

function priced(model: Model, body: JsonObject, multiplier = '1'): string {
  const request = requestOf(model, body);
  const { amount } = quoteRequest(model, request, multiplier);
  assert.equal(priceRequest(model, request, multiplier), amount);
  return formatMicros(amount);
}

function sumOf(quote: Pick<Quote, 'lines'>): number {
  return quote.lines.reduce((sum, line) => sum + (parseMicros(line.amount) ?? Number.NaN), 0);
}

/** Quantity × unit price, rounded half up to a micro-dollar, as a customer would check it. */
function productOf({ quantity, unit_price }: Quote['lines'][number]): string {
  const billionths = (text: string, decimals: number) => {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(decimals, '0'));
  };
  const product = billionths(quantity, 9) * billionths(unit_price, 18);
  return formatMicros(Number((product + 5n * 10n ** 20n) / 10n ** 21n));
}

describe('a quote', () => {
  test('multiplies seconds and says what for', () => {
    const quote = quoteRequest(film, requestOf(film, { resolution: '1080p' }), '1');
    assert.deepEqual(quote.lines, [
      {
        description: '8 s at 1080p, without input video',
        unit: 'output_second',
        quantity: '8',
        unit_price: '0.30',
        amount: '2.40',
      },
    ]);
    assert.equal(quote.amount, 2_400_000);
    assert.equal(quote.exact, true);
    assert.deepEqual(quote.basis, { pricing: film.pricing, multiplier: '1' });
  });

  test('counts whole megapixels, the first apart from the others', () => {
    assert.equal(priced(image, {}), '0.03');
    assert.equal(priced(image, { resolution: '2K' }), '0.075');
    assert.equal(priced(image, { size: '1040x1024' }), '0.045');
  });

  test('rounds each line half up to the millionth, once, after the multiplier', () => {
    assert.equal(priced(image, { quality: 'high' }), '0.03');
    assert.equal(priced(image, { quality: 'high' }, '500'), '15.000001');
    assert.equal(priced(image, { quality: 'high' }, '499'), '14.97');
    const [line] = quoteRequest(image, requestOf(image, {}), '1.0000005').lines;
    assert.deepEqual([line?.unit_price, line?.amount], ['0.030000015', '0.03']);
  });

  test('is never below the minimum, which the multiplier moves too', () => {
    const model = changedModel(film, { pricing: { ...film.pricing, minimum: '5' } });
    const quote = quoteRequest(model, requestOf(model, {}), '1.5');
    assert.equal(formatMicros(quote.amount), '7.50');
    assert.equal(sumOf(quote), quote.amount);
    assert.equal(quote.lines.at(-1)?.description, 'up to the minimum price');
  });

  test('is the most it can be where media must be measured', () => {
    const films = requestOf(film, { reference_video_urls: [SOURCE, SOURCE], duration: 4 });
    const quote = quoteRequest(film, films, '1');
    assert.deepEqual([formatMicros(quote.amount), quote.exact], ['1.20', false]);
    assert.equal(quote.lines[0]?.quantity, '24');
    const pictures = quoteRequest(image, requestOf(image, { image_urls: [SOURCE, SOURCE] }), '1');
    assert.deepEqual([formatMicros(pictures.amount), pictures.exact], ['0.11', false]);
  });

  test('is the most it can be where the model chooses the length or a picture the size', () => {
    const automatic = quoteRequest(film, requestOf(film, { duration: -1 }), '1');
    assert.deepEqual([formatMicros(automatic.amount), automatic.exact], ['0.80', false]);
    const shaped = quoteRequest(image, requestOf(image, { aspect_ratio: 'auto', image_urls: [SOURCE] }), '1');
    assert.equal(shaped.exact, false);
  });

  test('prices an action by its parent’s settings', () => {
    const grid = modelOf(sample, 'sample-grid');
    const parent = { request: requestOf(grid, { speed: 'turbo' }), grid: true, width: 1024, height: 1024 };
    const found = resolveAction(grid, { action: 'upscale', index: 1 }, parent, { purpose: 'create' });
    assert.ok(found.ok);
    const quote = quoteRequest(grid, found.request, '1');
    assert.deepEqual(quote.lines, [
      {
        description: 'upscale, 1 request, turbo speed',
        unit: 'request',
        quantity: '1',
        unit_price: '0.10',
        amount: '0.10',
      },
    ]);
  });
});

describe('a charge', () => {
  const clip = (index: number, durationSeconds: number): MediaMeasurement => ({
    field: 'reference_video_urls',
    index,
    width: 1280,
    height: 720,
    durationSeconds,
  });

  function charged(
    body: JsonObject,
    measurements: readonly MediaMeasurement[],
    change: (request: ResolvedRequest) => ResolvedRequest = (same) => same,
  ): string {
    const request = requestOf(film, body);
    const quote = quoteRequest(film, request, '1');
    const settled = settleAmount(quote, change(measureRequest(film, request, measurements).request), measurements);
    assert.equal(sumOf(settled), settled.amount);
    assert.ok(settled.amount <= quote.amount);
    return formatMicros(settled.amount);
  }

  test('is the quote where the quote was exact', () => {
    assert.equal(charged({}, []), '0.80');
  });

  test('is what was measured, with its floor', () => {
    const body = { reference_video_urls: [SOURCE], duration: 4 };
    assert.equal(charged(body, [clip(0, 6.5)]), '0.525');
    assert.equal(charged(body, [clip(0, 2)]), '0.40');
  });

  test('is never above the quote, whatever was measured', () => {
    assert.equal(charged({ reference_video_urls: [SOURCE], duration: 4 }, [clip(0, 15.04)]), '0.95');
    assert.equal(charged({ reference_video_urls: [SOURCE], duration: 4 }, []), '0.95');
  });

  test('follows the length that was delivered where the model chose it', () => {
    const delivered = (seconds: number) => (request: ResolvedRequest) => ({
      ...request,
      output: { ...request.output, durationSeconds: seconds },
    });
    assert.equal(charged({ duration: -1 }, []), '0.50');
    assert.equal(charged({ duration: -1 }, [], delivered(6)), '0.60');
    assert.equal(charged({ duration: -1 }, [], delivered(60)), '0.80');
    assert.equal(charged({ duration: -1 }, [], delivered(1)), '0.25');
  });

  test('keeps the prices of the order', () => {
    const request = requestOf(film, { reference_video_urls: [SOURCE], duration: 4 });
    const quote = JSON.parse(JSON.stringify(quoteRequest(film, request, '2'))) as Quote;
    const measured = measureRequest(film, request, [clip(0, 6.5)]).request;
    assert.equal(formatMicros(settleAmount(quote, measured, [clip(0, 6.5)]).amount), '1.05');
  });
});

describe('of every model', () => {
  const orders = shipped.models.flatMap((model) => {
    const found = [...priceRelevantBodies(model)]
      .slice(0, 300)
      .map((body) => resolveRequest(model, body, { purpose: 'quote' }));
    return found.flatMap((one) => (one.ok ? [{ model, request: one.request }] : []));
  });

  test('no combination is free', () => {
    for (const { model, request } of orders) {
      assert.ok(quoteRequest(model, request, '1').amount > 0, `${model.model_id} ${JSON.stringify(request.values)}`);
    }
  });

  test('media that are all known give the charge itself, and each one that becomes known makes the quote no dearer', () => {
    const withMedia = orders.filter(({ request }) => request.media.length > 0);
    const side = fc.integer({ min: 64, max: 8192 });
    const medium = fc.record({
      known: fc.boolean(),
      width: side,
      height: side,
      durationSeconds: fc.double({ min: 0.1, max: 60, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...withMedia),
        fc.array(medium, { minLength: 12, maxLength: 12 }),
        ({ model, request }, media) => {
          const all = request.media.map(({ field, index }, at) => ({ field, index, ...media[at % media.length]! }));
          const quoteWith = (measurements: readonly MediaMeasurement[]) => {
            const measured = measureRequest(model, request, measurements);
            const quote = quoteRequest(model, measured.request, '1.15', measurements);
            return { ...measured, quote, settled: settleAmount(quote, measured.request, measurements) };
          };
          const known = quoteWith(all);
          // An order with media beyond the model's limits is refused.
          fc.pre(known.faults.length === 0);
          const chosenLength = known.request.derived.seconds_known === false;
          assert.equal(known.quote.exact || chosenLength, true);
          if (!chosenLength) assert.equal(known.settled.amount, known.quote.amount);
          const some = quoteWith(all.filter((one) => one.known));
          assert.ok(known.quote.amount <= some.quote.amount, `${model.model_id} ${JSON.stringify(request.values)}`);
          assert.ok(some.quote.amount <= quoteRequest(model, request, '1.15').amount, model.model_id);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('lines add up, a higher multiplier is never cheaper, and a charge is never above its quote', () => {
    const multiplier = fc.integer({ min: 0, max: 5_000_000 });
    const side = fc.integer({ min: 64, max: 8192 });
    const seconds = fc.double({ min: 0.1, max: 60, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...orders),
        multiplier,
        multiplier,
        side,
        side,
        seconds,
        ({ model, request }, first, second, width, height, durationSeconds) => {
          const [low, high] = [Math.min(first, second), Math.max(first, second)].map((value) =>
            formatMicros(value),
          ) as [string, string];
          const dear = quoteRequest(model, request, high);
          assert.equal(sumOf(dear), dear.amount);
          for (const line of dear.lines) assert.equal(productOf(line), line.amount, JSON.stringify(line));
          assert.ok(quoteRequest(model, request, low).amount <= dear.amount);
          const measurements = request.media.map(({ field, index }) => ({
            field,
            index,
            width,
            height,
            durationSeconds,
          }));
          const { request: measured } = measureRequest(model, request, measurements);
          const settled = settleAmount(dear, measured, measurements);
          assert.ok(settled.amount <= dear.amount && settled.amount >= 0);
          assert.equal(sumOf(settled), settled.amount);
          if (dear.exact) assert.equal(settled.amount, dear.amount);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
