import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBodyPace } from './body-pace.ts';

const CHUNK = 65_536;
const LARGEST = 33_554_432;

/** Reads chunks and pauses as told, until the time is over. @returns the bytes that were read */
function readFor(ms: number, bodies: number): number {
  let time = 0;
  let read = 0;
  const pace = createBodyPace(() => time);
  const resumesAt = Array.from({ length: bodies }, () => 0);
  while (time < ms) {
    const at = resumesAt.indexOf(Math.min(...resumesAt));
    time = Math.max(time, resumesAt[at]!);
    if (time >= ms) break;
    read += CHUNK;
    resumesAt[at] = time + pace('key_1', CHUNK);
  }
  return read;
}

test('however many bodies a key sends at once, after the first 32 MB they are read at 32 MB a second together', () => {
  const cases = fc.record({ seconds: fc.integer({ min: 1, max: 20 }), bodies: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(cases, ({ seconds, bodies }) => {
      const most = LARGEST * (seconds + 1);
      const read = readFor(seconds * 1000, bodies);
      const tolerance = (bodies + 1) * CHUNK + seconds * 1000;
      assert.ok(Math.abs(read - most) <= tolerance, `${read} of ${most} bytes`);
    }),
    { numRuns: 40 },
  );
});

test('a body as large as allowed is read without a pause, and a key does not slow down others', () => {
  const pace = createBodyPace(() => 0);
  for (let read = CHUNK; read < LARGEST; read += CHUNK) assert.equal(pace('key_1', CHUNK), 0);
  for (let more = 0; more < 100; more++) pace('key_1', CHUNK);
  assert.ok(pace('key_1', CHUNK) > 0);
  assert.equal(pace('key_2', CHUNK), 0);
});

test('short pieces slow a key down as if each had 256 bytes', () => {
  const pace = createBodyPace(() => 0);
  for (let read = 0; read < LARGEST; read += 256) assert.equal(pace('key_1', 1), 0);
  assert.ok(pace('key_1', 1) > 0);
});
