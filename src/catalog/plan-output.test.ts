import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainEntry } from '../../test/plain-entry.ts';
import type { Model } from './model.ts';
import { planOutput } from './plan-output.ts';

const SIZE = { width: 640, height: 360 };

function formatOf(type: 'image' | 'video', entry: string | null, ordered: string | null): string {
  const output = entry === null ? {} : { output: { format: entry } };
  const model = { ...plainEntry({ model_id: 'plain', type, ...output }), limits: {} } as unknown as Model;
  return planOutput(model, ordered === null ? {} : { output_format: ordered }, SIZE, null).format;
}

test('a format is the one ordered, else the one of the entry, else the usual one of its type', () => {
  assert.equal(formatOf('video', null, null), 'mp4');
  assert.equal(formatOf('video', 'webm', null), 'webm');
  assert.equal(formatOf('video', 'mp4', 'webm'), 'webm');
  assert.equal(formatOf('image', null, null), 'png');
  assert.equal(formatOf('image', 'webp', null), 'webp');
  assert.equal(formatOf('image', 'webp', 'jpg'), 'jpeg');
});

test('a film is never a picture, nor a picture a film, whatever the entry says', () => {
  assert.equal(formatOf('video', 'png', null), 'mp4');
  assert.equal(formatOf('image', 'webm', 'mp4'), 'png');
});
