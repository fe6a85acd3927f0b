import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMicros, type JsonValue } from '@darkroom-service/contract';
import type { MediaMeasurement } from '@darkroom-service/contract/catalog';
import { loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { measureRequest } from '../measure-request.ts';
import { resolveRequest } from '../resolve-request.ts';
import vectors from './price-vectors.json' with { type: 'json' };
import { quoteRequest, settleAmount } from './quote.ts';

interface Vector {
  readonly model_id: string;
  readonly body: Readonly<Record<string, JsonValue>>;
  /** Number of one-megapixel pictures in `image_urls`. */
  readonly pictures?: number;
  /** Length of one video in `reference_video_urls`. */
  readonly film_seconds?: number;
  readonly usd: string;
}

const catalog = await loadShippedCatalog();

for (const vector of vectors as readonly Vector[]) {
  test(`${vector.model_id} costs ${vector.usd} as its vendor works it out`, () => {
    const model = modelOf(catalog, vector.model_id);
    const body: Record<string, JsonValue> = { prompt: 'a fox', ...vector.body };
    const measurements: MediaMeasurement[] = [];
    for (let index = 0; index < (vector.pictures ?? 0); index++) {
      measurements.push({ field: 'image_urls', index, width: 1024, height: 1024, durationSeconds: null });
    }
    if (vector.pictures !== undefined) body.image_urls = measurements.map((_, index) => `upload:picture_${index}`);
    if (vector.film_seconds !== undefined) {
      measurements.push({
        field: 'reference_video_urls',
        index: 0,
        width: 1280,
        height: 720,
        durationSeconds: vector.film_seconds,
      });
      body.reference_video_urls = ['upload:film'];
    }
    const found = resolveRequest(model, body, { purpose: 'create' });
    assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
    const quote = quoteRequest(model, found.request, '1');
    const measured = measureRequest(model, found.request, measurements);
    assert.deepEqual(measured.faults, []);
    assert.equal(formatMicros(settleAmount(quote, measured.request, measurements).amount), vector.usd);
    if (measurements.length === 0) assert.ok(quote.exact);
  });
}
