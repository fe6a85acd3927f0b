import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService } from '../service.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
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
