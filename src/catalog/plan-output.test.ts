import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '@darkroom-service/contract/catalog';
import { plainEntry } from '../../test/helpers/plain-entry.ts';
import { planOutput, planSeconds } from './plan-output.ts';

const SIZE = { width: 640, height: 360 };

function formatOf(type: 'image' | 'video', entry: string | null, ordered: string | null): string {
  const output = entry === null ? {} : { output: { format: entry } };
  const model = { ...plainEntry({ model_id: 'plain', type, ...output }), limits: {} } as unknown as Model;
  return planOutput(model, ordered === null ? {} : { output_format: ordered }, SIZE, null).format;
}

test("the format is the ordered one, or the entry's, or the default of the type", () => {
  assert.equal(formatOf('video', null, null), 'mp4');
  assert.equal(formatOf('video', 'webm', null), 'webm');
  assert.equal(formatOf('video', 'mp4', 'webm'), 'webm');
  assert.equal(formatOf('image', null, null), 'png');
  assert.equal(formatOf('image', 'webp', null), 'webp');
  assert.equal(formatOf('image', 'webp', 'jpg'), 'jpeg');
});

test('a video model never outputs an image format, nor an image model a video format', () => {
  assert.equal(formatOf('video', 'png', null), 'mp4');
  assert.equal(formatOf('image', 'webm', 'mp4'), 'png');
});

test("an unspecified length follows the reference media within the model's limits", () => {
  const planned = (duration: object | null, given: number | null, output: object = {}) => {
    const parameters = duration === null ? {} : { duration };
    const model = { ...plainEntry({ model_id: 'plain', type: 'video', parameters, output }), limits: {} };
    const seconds = planSeconds(model as unknown as Model, undefined, given);
    return [seconds?.planned, seconds?.most, seconds?.known];
  };
  const range = { type: 'number', minimum: 4, maximum: 10 };
  assert.deepEqual(planned(range, null), [5, 10, false]);
  assert.deepEqual(planned(range, 7.5), [7.5, 10, false]);
  assert.deepEqual(planned(range, 2), [4, 10, false], 'not shorter than the model can');
  assert.deepEqual(planned(range, 30), [10, 10, false], 'not longer, nor dearer than was quoted');
  assert.deepEqual(planned({ enum: [-1, 4, 8] }, 30, { auto_seconds: 6 }), [8, 8, false]);
  assert.deepEqual(planned({ type: 'number', maximum: 10 }, 2), [2, 10, false]);
  assert.deepEqual(planned(null, 2.5, { auto_seconds: 6 }), [2.5, 6, false]);
  assert.deepEqual(planned(null, 30, { auto_seconds: 6 }), [6, 6, false], 'an open range leaves what was quoted');
});
