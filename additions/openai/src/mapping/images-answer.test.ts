import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { allocateBytes, cacheBase64 } from '@darkroom-service/media';
import { cacheBytes, cachedBytes, dropCachedBytes } from '../../../../src/record/cached-bytes.ts';
import type { StoredOutput } from '../../../../src/record/task.ts';
import { kernelOf } from '../../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../../test/helpers/task-services.ts';
import { base64Of } from './images-answer.ts';

const KEY = 'tasks/01kafx2/img_fox-1-0.png';

test('a caller gets the whole picture, also if its bytes are freed while it is answered', async (t) => {
  const { services } = await openTestServices(t);
  const bytes = randomBytes(200_000);
  await services.storage.put(KEY, bytes, { contentType: 'image/png', maxBytes: bytes.length });
  for (const freedAfter of [0, 1, 3, 5, Number.POSITIVE_INFINITY]) {
    const output = { key: KEY, bytes: bytes.length } as StoredOutput;
    const cached = allocateBytes(bytes.length);
    cached.set(bytes);
    cacheBytes(output, cached);
    if (freedAfter === 0) dropCachedBytes(output);
    const pieces: (string | Uint8Array)[] = [];
    for await (const piece of base64Of(kernelOf(services), output)) {
      if (pieces.push(piece) === freedAfter) dropCachedBytes(output);
    }
    assert.equal(pieces.join(''), bytes.toString('base64'));
    assert.equal(cachedBytes(output), null, 'who comes later reads it from storage');
  }
});

test('a short picture is answered in the base64 that it came in, and from storage if its bytes were freed', async (t) => {
  const { services } = await openTestServices(t);
  const bytes = randomBytes(16_000);
  await services.storage.put(KEY, bytes, { contentType: 'image/png', maxBytes: bytes.length });
  for (const isFreed of [false, true]) {
    const output = { key: KEY, bytes: bytes.length } as StoredOutput;
    const cached = allocateBytes(bytes.length);
    cached.set(bytes);
    const base64 = Buffer.from(bytes.toString('base64'));
    cacheBase64(cached, base64);
    cacheBytes(output, cached);
    if (isFreed) dropCachedBytes(output);
    const pieces: (string | Uint8Array)[] = [];
    for await (const piece of base64Of(kernelOf(services), output)) pieces.push(piece);
    assert.equal(pieces[0] === base64, !isFreed);
    assert.equal(pieces.map(String).join(''), bytes.toString('base64'));
    assert.equal(cachedBytes(output), null);
  }
});
