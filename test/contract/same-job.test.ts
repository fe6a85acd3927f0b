import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';

test('an upstream that gives two orders one id is paid for one result: the second order fails as outcome_unknown, also when the first has long ended', async (t) => {
  const engine = createScriptedEngine({ jobOf: () => 'twin' });
  const data = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] },
  });
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const { keys, call, make } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory, DARKROOM_LOG_LEVEL: 'silent' },
    service: { engines: [engine] },
  });
  const body = { model_id: 'scripted', prompt: 'a fox' };
  const first = await make(keys.live, '/v1/images', body);
  assert.deepEqual([first.status, first.cost.amount], ['succeeded', '0.01']);
  const second = await make(keys.live, '/v1/images', body);
  assert.deepEqual(
    [second.status, second.error.code, second.error.retry, second.cost.state, second.outputs],
    ['failed', 'outcome_unknown', 'new_order', 'released', []],
  );
  assert.ok(!JSON.stringify(second).includes(first.task_id), 'whose the other order is, is nobody’s business');
  assert.equal(engine.started.length, 2);
  assert.deepEqual(engine.checked, [first.task_id]);

  const { data: list } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
  const [entry] = list.items;
  assert.deepEqual(
    [list.items.length, entry.task_id, entry.kind, entry.detail.job, entry.detail.same_job_as],
    [1, second.task_id, 'outcome_unknown', 'twin', first.task_id],
  );
  const { data: account } = await call(keys.live, 'GET', '/v1/account');
  assert.deepEqual([account.balance, account.held], ['-0.01', '0.00']);
});
