import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveredOutput, Delivery } from '@darkroom-service/engines';
import { isHosted, operationOfDelivery, storedDelivery } from './stored-delivery.ts';

const TASK = { id: 'img_1', fence: 1 };
const URL = 'https://example.com/fox.png';
const deliveryOf = (...sources: DeliveredOutput['source'][]): Delivery => ({
  outputs: sources.map((source) => ({ source, seed: 7, revisedPrompt: null, tiles: null })),
});

test('a result whose files are at URLs is read from its row as it was stored', () => {
  const delivery = deliveryOf({ url: URL, allowOrigins: ['https://example.com'] });
  assert.equal(isHosted(delivery), true);
  const operation = JSON.stringify(operationOfDelivery(TASK, 'xai', 0, delivery));
  assert.deepEqual(storedDelivery({ id: TASK.id, operation_json: operation })?.outputs, delivery.outputs);
  assert.equal(storedDelivery({ id: TASK.id, operation_json: '{"id":"job_1"}' }), null);
});

test('a result with a file that came inside the answer, or that needs credentials, is not stored in its row', () => {
  for (const other of [{ data: Buffer.from('fox') }, { url: URL, headers: { 'x-goog-api-key': 'secret' } }])
    assert.equal(isHosted(deliveryOf({ url: URL }, other)), false);
});
