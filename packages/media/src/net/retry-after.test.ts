import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterOf } from './retry-after.ts';

const LONGEST_MS = 600_000;
const read = (headers: Record<string, string>) => retryAfterOf(headers, LONGEST_MS);

test('Retry-After is read in seconds or as a date of the server, whatever our clock says', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  assert.equal(read({ 'retry-after': '3' }), 3000);
  assert.equal(read({ date, 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }), 5000);
  assert.equal(read({ date, 'retry-after': 'Thu, 01 Jan 2025 00:00:05 GMT' }), 0);
  assert.equal(read({ date, 'retry-after': '999999' }), LONGEST_MS);
  assert.equal(read({ 'retry-after': 'soon' }), null);
  assert.equal(read({}), null);
});

test('a date of a server that tells no clock is compared with ours', () => {
  assert.equal(read({ 'retry-after': new Date(Date.now() - 5_000).toUTCString() }), 0);
  assert.equal(read({ 'retry-after': new Date(Date.now() + 2 * LONGEST_MS).toUTCString() }), LONGEST_MS);
});
