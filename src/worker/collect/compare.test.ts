import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatMicros, type JsonObject } from '@darkroom-service/contract';
import { changedModel, loadShippedCatalog, modelOf } from '../../catalog/fixtures/sample-catalog.ts';
import { quoteRequest } from '../../catalog/pricing/quote.ts';
import { resolveRequest } from '../../catalog/resolve-request.ts';
import type { StoredOutput, TaskMedia } from '../../record/task.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { compareResult } from './compare.ts';

const shipped = await loadShippedCatalog();
/** A film that is sold by the second, and by the second of sound that it is made from. */
const film = changedModel(modelOf(shipped, 'seedance-2.0-mini'), {
  pricing: {
    components: [
      { per: 'output_second', amount: '0.10' },
      { per: 'input_audio_second', amount: '0.01' },
    ],
  },
});
const SENT = { engine: 'byteplus', model: 'film', parameters: { duration: 'duration' }, fixed: {} };
const STORED = { key: 'input', contentType: 'audio/wav', bytes: 1, width: 640, height: 360, hasAudio: true };

function orderOf(body: JsonObject, changes: Partial<TaskRecord> = {}) {
  const found = resolveRequest(film, { prompt: 'a fox', ...body }, { purpose: 'quote' });
  assert.ok(found.ok);
  const quote = quoteRequest(film, found.request, '1');
  const media: TaskMedia[] = found.request.media.map(({ field, index, kind }) => ({
    field,
    index,
    kind,
    url: null,
    stored: { ...STORED, durationSeconds: kind === 'audio' ? 3 : null },
  }));
  const tariff = { digest: '', multiplier: '1' };
  const priced = { amount: quote.amount, lines: quote.lines, basis: quote.exact ? null : quote.basis, tariff };
  return { request: found.request, media, route: SENT, quote: priced, ...changes };
}

function came(durationSeconds: number): StoredOutput {
  return {
    key: 'film',
    contentType: 'video/mp4',
    bytes: 1,
    width: 1280,
    height: 720,
    durationSeconds,
    hasAudio: true,
    sha256: '',
    fps: 24,
    thumbnailKey: null,
    tiles: null,
    seed: null,
    revisedPrompt: null,
  };
}

function charged(
  order: ReturnType<typeof orderOf>,
  seconds: number,
  pricing = film.pricing as typeof film.pricing | null,
) {
  const verdict = compareResult(order, { model: film, pricing }, [came(seconds)], { further: 0, named: {} });
  assert.ok(verdict.isAsOrdered);
  return [formatMicros(verdict.charge.amount), ...verdict.warnings.map(({ code }) => code)];
}

describe('the charge of a film', () => {
  const sound = { image_urls: ['upload:any'], reference_audio_urls: ['upload:any'] };

  test('whose price depends on its inputs follows the delivered length where that is shorter than ordered', () => {
    const order = orderOf({ duration: 10, ...sound });
    assert.notEqual(order.quote.basis, null);
    assert.deepEqual(charged(order, 10), ['1.03']);
    assert.deepEqual(charged(order, 12), ['1.03']);
    assert.deepEqual(charged(order, 4), ['0.43', 'shorter']);
  });

  test('whose length the model chose is that of the delivered length, and nothing is short', () => {
    const order = orderOf({ duration: -1 });
    assert.deepEqual([charged(order, 6), charged(order, 1)], [['0.60'], ['0.10']]);
  });

  test('with an exact price is the quote unless it is shorter', () => {
    const order = orderOf({ duration: 10 });
    assert.equal(order.quote.basis, null);
    assert.deepEqual([charged(order, 9.6), charged(order, 4)], [['1.00'], ['0.40', 'shorter']]);
  });

  test('of an order of an older version, which names no price list, is the quote, and says so', () => {
    const order = orderOf({ duration: 10 });
    const old = { ...order, quote: { ...order.quote, tariff: null } };
    assert.deepEqual(charged(old, 4, null), ['1.00', 'shorter', 'price_unchanged']);
    assert.deepEqual(charged(old, 10, null), ['1.00']);
  });

  test('at an engine that was sent no length is the quote', () => {
    const order = orderOf({ duration: 10 }, { route: { ...SENT, parameters: null } });
    assert.deepEqual(charged(order, 4), ['1.00']);
  });
});

test('a price in steps of seconds is charged by the media that were measured after the order was placed', () => {
  const model = modelOf(shipped, 'kling-lipsync');
  const address = 'https://example.com/a';
  const found = resolveRequest(model, { video_url: address, audio_url: address }, { purpose: 'create' });
  assert.ok(found.ok);
  const { amount, lines, basis } = quoteRequest(model, found.request, '1');
  const media = (seconds: number): TaskMedia[] =>
    found.request.media.map(({ field, index, kind }) => ({
      field,
      index,
      kind,
      url: address,
      stored: { ...STORED, durationSeconds: seconds },
    }));
  const chargeFor = (seconds: number) => {
    const order = {
      request: found.request,
      media: media(seconds),
      route: SENT,
      quote: { amount, lines, basis, tariff: null },
    };
    const verdict = compareResult(order, { model, pricing: null }, [came(seconds)], { further: 0, named: {} });
    return verdict.isAsOrdered ? verdict.charge.amount : null;
  };
  assert.deepEqual([amount, chargeFor(4), chargeFor(6)], [140_000, 70_000, 140_000]);
});
