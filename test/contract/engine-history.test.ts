import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../src/engines/engine.ts';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService } from '../service.ts';
import { until } from '../until.ts';
import { wholeFile } from '../whole-file.ts';

const engine = createScriptedEngine({ name: 'scripted' });
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'plain', routes: [{ engine: 'scripted' }] }),
]);
const { call, make, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [engine] },
});
const order = () => make(keys.live, '/v1/images', { model_id: 'plain', prompt: 'a fox' });
const history = async (span: 'hour' | 'day' | 'month') =>
  (await call(keys.admin, 'GET', `/admin/v1/engines/history?span=${span}` as '/admin/v1/engines/history')).data;

test('an order that has just ended is in the history over an hour, a day and 30 days, and a pause of its upstream too', async () => {
  engine.answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'no' } });
  assert.equal((await order()).status, 'failed');
  await make(keys.test, '/v1/images', { model_id: 'plain', prompt: 'a fox' });
  engine.onStart = () => {
    throw new EngineError('rate_limited', 'slower', { took: 'no', retryAfterMs: 600_000 });
  };
  await call(keys.live, 'POST', '/v1/images', { model_id: 'plain', prompt: 'a fox' });
  for (const [span, seconds] of [
    ['hour', 300],
    ['day', 3_600],
    ['month', 86_400],
  ] as const) {
    const report = await until(
      () => history(span),
      ({ items }) => items.some(({ points }) => points.some((point) => point.rate_limits > 0)),
    );
    assert.equal(report.step_seconds, seconds);
    assert.ok(Date.parse(report.to) > Date.now());
    assert.deepEqual(
      report.items.map((item) => item.engine),
      ['scripted'],
    );
    const points = report.items[0]?.points ?? [];
    const sum = (field: 'failed' | 'succeeded' | 'rate_limits' | 'outages') =>
      points.reduce((total, point) => total + point[field], 0);
    assert.deepEqual(
      { failed: sum('failed'), succeeded: sum('succeeded'), rate_limits: sum('rate_limits'), outages: sum('outages') },
      { failed: 1, succeeded: 0, rate_limits: 1, outages: 0 },
    );
  }
  const { status, error } = await call(keys.admin, 'GET', '/admin/v1/engines/history?span=year');
  assert.deepEqual([status, error.param], [400, 'span']);
});
