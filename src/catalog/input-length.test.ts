import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaMeasurement } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { checkEntry } from './check-entry.ts';
import { changedModel, loadShippedCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { measureRequest } from './measure-request.ts';
import { quoteRequest, settleAmount } from './pricing/quote.ts';
import { resolveRequest } from './resolve-request.ts';

const catalog = await loadShippedCatalog();
const video_url = 'https://example.com/a.mp4';
const audio_url = 'https://example.com/a.mp3';

/** The order before and after its media are measured. */
function ordered(name: string, seconds: { readonly video_url: number; readonly audio_url: number }, fields = {}) {
  const model = modelOf(catalog, name);
  const found = resolveRequest(model, { video_url, audio_url, ...fields }, { purpose: 'create' });
  assert.ok(found.ok, JSON.stringify(found));
  const measurements: MediaMeasurement[] = (['video_url', 'audio_url'] as const).map((field) => ({
    field,
    index: 0,
    width: field === 'video_url' ? 1280 : null,
    height: field === 'video_url' ? 720 : null,
    durationSeconds: seconds[field],
  }));
  const { request, faults } = measureRequest(model, found.request, measurements);
  assert.deepEqual(faults, []);
  return { model, unmeasured: found.request, request, measurements };
}

const anySeconds = (most: number) => fc.integer({ min: 20, max: most * 10 }).map((tenths) => tenths / 10);

test('a video that is as long as its media costs at most its first quote, and exactly the quote of its measurements', () => {
  const lasts = {
    cut_off: Math.min,
    silence: (video: number) => video,
    loop: (_: number, audio: number) => audio,
    bounce: (_: number, audio: number) => audio,
    remap: (_: number, audio: number) => audio,
  } as const;
  const modes = fc.constantFrom(...(Object.keys(lasts) as (keyof typeof lasts)[]));
  fc.assert(
    fc.property(anySeconds(120), anySeconds(120), modes, (video, audio, sync_mode) => {
      const order = ordered('sync-lipsync-2', { video_url: video, audio_url: audio }, { sync_mode });
      const first = quoteRequest(order.model, order.unmeasured, '1');
      const second = quoteRequest(order.model, order.request, '1', order.measurements);
      const seconds = lasts[sync_mode](video, audio);
      assert.deepEqual([first.exact, second.exact], [false, true]);
      assert.equal(order.request.output.durationSeconds, seconds);
      assert.equal(second.amount, Math.round(seconds * 50_000));
      assert.ok(first.amount >= second.amount);
      assert.equal(settleAmount(first, order.request, order.measurements).amount, second.amount);
    }),
  );
});

test('a price in steps of five seconds is that of the longest step until the video is measured', () => {
  fc.assert(
    fc.property(anySeconds(10), (video) => {
      const order = ordered('kling-lipsync', { video_url: video, audio_url: 60 });
      const first = quoteRequest(order.model, order.unmeasured, '1');
      assert.deepEqual([first.exact, first.amount], [false, 140_000]);
      const charge = settleAmount(first, order.request, order.measurements).amount;
      assert.equal(charge, 70_000 * Math.ceil(video / 5));
    }),
  );
});

test('an entry names videos or sounds with a longest length, of a video without duration', () => {
  const model = modelOf(catalog, 'sync-3');
  const limits = { ...model.limits, audio_url: { role: 'reference_audio' as const } };
  const faults = (as_long_as: { readonly fields: string[] }[], changes = {}) =>
    checkEntry(changedModel(model, { output: { as_long_as }, ...changes })).filter((one) => one.includes('as_long_as'));
  assert.deepEqual(faults([{ fields: ['audio_url'] }]), []);
  assert.deepEqual(faults([{ fields: ['sync_mode'] }]), [
    'output.as_long_as names sync_mode, which is neither a video nor a sound',
  ]);
  assert.deepEqual(faults([{ fields: ['audio_url'] }], { limits }), [
    'output.as_long_as names audio_url, which needs limits.audio_url.max_seconds',
  ]);
});
