import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { allocateBytes, keepBase64 } from '@darkroom-service/media';
import { openTestServices } from '../../../../test/task-services.ts';
import { bytesInHand, freeInHand, keepInHand } from '../../../tasks/bytes-in-hand.ts';
import type { StoredOutput } from '../../../tasks/task.ts';
import { base64Of } from './images-answer.ts';

const KEY = 'tasks/01kafx2/img_fox-1-0.png';

test('a caller gets the whole picture, also if its bytes are freed while it is answered', async (t) => {
  const { services } = await openTestServices(t);
  const bytes = randomBytes(200_000);
  await services.storage.put(KEY, bytes, { contentType: 'image/png', maxBytes: bytes.length });
  for (const freedAfter of [0, 1, 3, 5, Number.POSITIVE_INFINITY]) {
    const output = { key: KEY, bytes: bytes.length } as StoredOutput;
    const inHand = allocateBytes(bytes.length);
    inHand.set(bytes);
    keepInHand(output, inHand);
    if (freedAfter === 0) freeInHand(output);
    const pieces: (string | Uint8Array)[] = [];
    for await (const piece of base64Of(services, output)) {
      if (pieces.push(piece) === freedAfter) freeInHand(output);
    }
    assert.equal(pieces.join(''), bytes.toString('base64'));
    assert.equal(bytesInHand(output), null, 'who comes later reads it from storage');
  }
});

test('a short picture is answered in the base64 that it came in, and from storage if its bytes were freed', async (t) => {
  const { services } = await openTestServices(t);
  const bytes = randomBytes(16_000);
  await services.storage.put(KEY, bytes, { contentType: 'image/png', maxBytes: bytes.length });
  for (const isFreed of [false, true]) {
    const output = { key: KEY, bytes: bytes.length } as StoredOutput;
    const inHand = allocateBytes(bytes.length);
    inHand.set(bytes);
    const base64 = Buffer.from(bytes.toString('base64'));
    keepBase64(inHand, base64);
    keepInHand(output, inHand);
    if (isFreed) freeInHand(output);
    const pieces: (string | Uint8Array)[] = [];
    for await (const piece of base64Of(services, output)) pieces.push(piece);
    assert.equal(pieces[0] === base64, !isFreed);
    assert.equal(pieces.map(String).join(''), bytes.toString('base64'));
    assert.equal(bytesInHand(output), null);
  }
});
