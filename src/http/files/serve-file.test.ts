import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRange } from './serve-file.ts';

const range = (header: string | undefined, ifRange?: string) => readRange(header, ifRange, 100, '"tag"');

test('one range is read from either end, and cut at the end of the file', () => {
  assert.deepEqual(range('bytes=0-0'), { start: 0, end: 0 });
  assert.deepEqual(range('bytes=10-19'), { start: 10, end: 19 });
  assert.deepEqual(range('bytes=90-'), { start: 90, end: 99 });
  assert.deepEqual(range('bytes=-5'), { start: 95, end: 99 });
  assert.deepEqual(range('bytes=-500'), { start: 0, end: 99 });
  assert.deepEqual(range('bytes=50-5000'), { start: 50, end: 99 });
});

test('a range outside the file gets 416, and anything but one range means the whole file', () => {
  for (const outside of ['bytes=100-', 'bytes=100-200', 'bytes=-0'])
    assert.equal(range(outside), 'unsatisfiable', outside);
  for (const whole of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'items=0-1', 'bytes=0-1,5-6', 'bytes=a-b'])
    assert.equal(range(whole), null, String(whole));
});

test('If-Range gives the range if the file is unchanged, else the whole file', () => {
  assert.deepEqual(range('bytes=0-1', '"tag"'), { start: 0, end: 1 });
  assert.equal(range('bytes=0-1', '"other"'), null);
  assert.equal(range('bytes=0-1', 'W/"tag"'), null);
  assert.equal(range('bytes=0-1', 'Fri, 20 Nov 2026 00:00:00 GMT'), null);
});

test('a range never leaves the file', () => {
  const part = fc.oneof(fc.constant(''), fc.nat({ max: 300 }).map(String));
  fc.assert(
    fc.property(part, part, fc.integer({ min: 0, max: 200 }), (first, last, bytes) => {
      const found = readRange(`bytes=${first}-${last}`, undefined, bytes, '"tag"');
      if (found === null || found === 'unsatisfiable') return;
      assert.ok(0 <= found.start && found.start <= found.end && found.end < bytes);
    }),
  );
});
