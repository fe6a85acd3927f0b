import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateBytes, freeBytes, readBytes } from './large-bytes.ts';

test('freed memory has no bytes any more, and memory of others stays', () => {
  const bytes = allocateBytes(1_000);
  const view = bytes.subarray(10, 20);
  freeBytes(view);
  assert.deepEqual([bytes.length, view.length], [0, 0]);
  freeBytes(view);
  const others = Buffer.from('a fox');
  freeBytes(others);
  assert.equal(others.toString(), 'a fox');
});

test('memory that is being read is freed after the last reader', async () => {
  const bytes = allocateBytes(1_000);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const reads = [readBytes(bytes, () => first.promise), readBytes(bytes.subarray(5), () => second.promise)];
  freeBytes(bytes);
  first.resolve();
  await reads[0];
  assert.equal(bytes.length, 1_000);
  second.reject(new Error('the disk is full'));
  await assert.rejects(reads[1] as Promise<void>);
  assert.equal(bytes.length, 0);
});
