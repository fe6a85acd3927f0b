import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bombs } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * What an engine delivers is paid for: it reaches the customer unless it is broken, however much its thumbnail would
 * cost.
 */

const picture = sharp({
  create: { width: 300, height: 300, channels: 3, background: '#345', noise: { type: 'gaussian', mean: 9, sigma: 9 } },
});
const whole = await picture.png().toBuffer();
const DELIVERED: Readonly<Record<string, Buffer>> = {
  'too many pixels': bombs.avifOfNothing(),
  cut: whole.subarray(0, whole.length / 2),
};
const engine = createSwiftEngine({
  async check(_operation, { request }) {
    const source = { data: DELIVERED[`${request.values.prompt}`] ?? whole };
    return { status: 'succeeded', delivery: { outputs: [{ source, seed: 1, revisedPrompt: null, tiles: null }] } };
  },
});
const service = await startTestService(wholeFile, {
  env: { DARKROOM_PROVENANCE: 'off' },
  service: { engines: [engine] },
});
const order = (prompt: string) => service.make(service.keys.live, '/v1/images', { model_id: 'sketch', prompt });

test('an output of more pixels than are decoded is delivered and charged, without a thumbnail', async () => {
  const task = await order('too many pixels');
  assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged']);
  const [{ width, height, url, thumbnail_url, content_type }] = task.outputs;
  assert.deepEqual([width, height, thumbnail_url, content_type], [8192, 8192, null, 'image/avif']);
  assert.ok(bombs.avifOfNothing().equals(Buffer.from(await (await fetch(url)).arrayBuffer())));
});

test('an output that is cut short fails and is released', async () => {
  const task = await order('cut');
  assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'upstream_error', 'released']);
});
