import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import type { MediaMeasurement, Model } from '@darkroom-service/contract/catalog';
import { changedModel, loadSampleCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { measureRequest } from './measure-request.ts';
import { replaceMediaSources } from './media-fields.ts';
import { resolveRequest } from './resolve-request.ts';

const catalog = await loadSampleCatalog();
const image = modelOf(catalog, 'sample-image');
const film = modelOf(catalog, 'sample-film');
const SOURCE = 'https://example.com/medium';

function requestOf(model: Model, body: JsonObject) {
  const found = resolveRequest(model, body, { purpose: 'create' });
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.faults));
  return found.request;
}

function picture(width: number, height: number, index = 0): MediaMeasurement {
  return { field: 'image_urls', index, width, height, durationSeconds: null };
}

function clip(durationSeconds: number, index = 0): MediaMeasurement {
  return { field: 'reference_video_urls', index, width: 1280, height: 720, durationSeconds };
}

test('a measured picture settles the ratio of the output and what follows from it', () => {
  const request = requestOf(image, { prompt: 'a', aspect_ratio: 'auto', image_urls: [SOURCE] });
  const { request: measured, faults } = measureRequest(image, request, [picture(1600, 800)]);
  assert.deepEqual(faults, []);
  assert.deepEqual([measured.output.width, measured.output.height], [1456, 720]);
  assert.equal(measured.derived.size_known, true);
  assert.equal(measured.derived.output_pixels, 1456 * 720);
  assert.deepEqual(measured.values, request.values);
});

test('if the model chooses the length, a film is as long as its reference film, or else its reference sound', () => {
  const { duration: _, ...parameters } = film.parameters;
  const sound = { type: 'string', format: 'uri', 'x-media': 'audio', default: null, description: 'A voice.' } as const;
  const open = changedModel(film, { constraints: [], parameters: { ...parameters, voice_url: sound } });
  const lengthOf = (body: JsonObject, measurements: readonly MediaMeasurement[]) =>
    measureRequest(open, requestOf(open, { prompt: 'a', ...body }), measurements).request.output.durationSeconds;
  const voice = { field: 'voice_url', index: 0, width: null, height: null, durationSeconds: 2.5 };
  assert.equal(lengthOf({ reference_video_urls: [SOURCE], voice_url: SOURCE }, [voice, clip(3.5)]), 3.5);
  assert.equal(lengthOf({ voice_url: SOURCE }, [voice]), 2.5);
  assert.equal(lengthOf({ voice_url: SOURCE }, []), 5, 'until it is measured');
});

test('a violated limit of a medium is reported with its position', () => {
  const request = requestOf(image, { prompt: 'a', image_urls: [SOURCE, SOURCE] });
  const { faults } = measureRequest(image, request, [picture(50, 500), picture(3000, 2000, 1)]);
  assert.deepEqual(
    faults.map(({ code, param }) => `${code} ${param}`),
    ['invalid_reference image_urls[0]', 'invalid_reference image_urls[1]'],
  );
  assert.match(faults[1]?.message ?? '', /is 3000x2000; the maximum is 4 megapixels/);
});

test('seconds are bounded one by one, in all, and together with the output', () => {
  const request = requestOf(film, { prompt: 'a', reference_video_urls: [SOURCE, SOURCE], duration: 8 });
  const faultsOf = (...seconds: number[]) =>
    measureRequest(film, request, seconds.map(clip)).faults.map(({ code, param }) => `${code} ${param}`);
  assert.deepEqual(faultsOf(5, 5), []);
  assert.deepEqual(faultsOf(15.03, 4.9), []);
  assert.deepEqual(faultsOf(16, 1), [
    'invalid_reference reference_video_urls[0]',
    'invalid_reference reference_video_urls[1]',
  ]);
  assert.deepEqual(faultsOf(11, 10), ['invalid_reference reference_video_urls']);
  assert.deepEqual(
    measureRequest(changedModel(film, { limits: {} }), request, [clip(12), clip(12, 1)]).faults.map(
      ({ param }) => param,
    ),
    ['duration'],
  );
});

test('media can have other names, both in values and in lists', () => {
  const request = requestOf(image, {
    prompt: 'a',
    image_urls: [SOURCE, 'data:image/png;base64,AAAA'],
    mask_url: 'data:image/png;base64,BBBB',
  });
  const stored = replaceMediaSources(image, request, ({ source, field, index }) =>
    source.startsWith('data:') ? `upload:${field}_${index}` : source,
  );
  assert.deepEqual(stored.values.image_urls, [SOURCE, 'upload:image_urls_1']);
  assert.equal(stored.values.mask_url, 'upload:mask_url_0');
  assert.deepEqual(
    stored.media.map(({ source }) => source),
    [SOURCE, 'upload:image_urls_1', 'upload:mask_url_0'],
  );
});
