import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

test('the metrics count the orders of an engine by how they ended, with their time, and refused ones apart from failed ones', async (t) => {
  const engine = createScriptedEngine({ name: 'scripted' });
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'plain', routes: [{ engine: 'scripted' }] })]);
  const { call, make, keys } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    service: { engines: [engine] },
  });
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
  });
  const order = () => make(keys.live, '/v1/images', { model_id: 'plain', prompt: 'a fox' });
  assert.equal((await order()).status, 'succeeded');
  for (const code of ['upstream_error', 'content_policy'] as const) {
    engine.answer = () => ({ status: 'failed', error: { code, message: 'no' } });
    assert.equal((await order()).status, 'failed');
  }
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  for (const outcome of ['succeeded', 'failed', 'refused'])
    for (const [series, value] of [
      ['darkroom_order_seconds_count', '1'],
      ['darkroom_order_seconds_sum', '\\d+(\\.\\d+)?(e-\\d+)?'],
    ])
      assert.match(
        metrics,
        new RegExp(`^${series}\\{engine="scripted",mode="live",outcome="${outcome}"\\} ${value}$`, 'm'),
      );
});

test('the metrics tell how long orders waited to begin, and webhooks to be delivered', async (t) => {
  const receiver = await startReceiver(t, (attempt) => (attempt === 1 ? 500 : 204));
  const { call, make, keys } = await startTestService(t, {
    env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
    service: { engines: [createSwiftEngine()], tempo: { deliveryPausesMs: [1_200] } },
  });
  const order = { model_id: 'sketch', prompt: 'a fox', webhook_url: receiver.url };
  assert.equal((await make(keys.test, '/v1/images', order)).status, 'succeeded');
  assert.equal((await make(keys.live, '/v1/images', { ...order, webhook_url: undefined })).status, 'succeeded');
  const read = async () => String((await call(keys.admin, 'GET', '/metrics')).body);
  const metrics = await until(read, (text) => text.includes('darkroom_webhook_delivery_seconds_count{'));
  for (const mode of ['test', 'live'])
    for (const le of ['60', '+Inf'])
      assert.ok(metrics.includes(`darkroom_order_wait_seconds_bucket{le="${le}",mode="${mode}",outcome="began"} 1`));
  // The second attempt comes after more than a second.
  for (const [le, count] of [
    ['1', 0],
    ['60', 1],
  ] as const)
    assert.ok(
      metrics.includes(`darkroom_webhook_delivery_seconds_bucket{le="${le}",outcome="delivered"} ${count}`),
      le,
    );
});
