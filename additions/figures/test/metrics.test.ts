import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { paidModel } from '../../../test/crash/paid-model.ts';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { startTestService } from '../../../test/helpers/service.ts';

/** What the metrics say of orders that are stuck, and of their money. */

test('the metrics show stuck orders, their age and their money, and how each upstream answers', async (t) => {
  const overlay = await openCatalogOverlay(t, [paidModel('slow'), paidModel('broken')]);
  const hangs = Promise.withResolvers<never>();
  const check = () => Promise.reject(new Error('not to be asked'));
  const { call, keys, make } = await startTestService(t, {
    env: {
      DARKROOM_CATALOG_DIR: overlay.directory,
      DARKROOM_DRAIN_SECONDS: '0',
    },
    config: { softDeadlineMs: 600 },
    service: {
      engines: [
        { name: 'slow', concurrency: 1, start: () => hangs.promise, check },
        {
          name: 'broken',
          concurrency: 1,
          start: () => Promise.reject(new EngineError('upstream', 'reset', { took: 'unknown' })),
          check,
        },
      ],
    },
  });
  const order = (model_id: string) => ({ model_id, prompt: 'a fox' });
  await call(keys.live, 'POST', '/v1/images', order('slow'));
  await call(keys.live, 'POST', '/v1/images', order('slow'));
  await make(keys.live, '/v1/images', order('broken'));
  const read = async () => String((await call(keys.admin, 'GET', '/metrics')).body);
  const metrics = await until(read, (text) => text.includes('darkroom_overdue_tasks{engine="slow"} 1'));
  for (const line of [
    'darkroom_overdue_dollars{engine="slow"} 0.04',
    'darkroom_held_dollars{engine="slow"} 0.08',
    'darkroom_queue_tasks{queue="slow:live",step="submitting"} 1',
    'darkroom_queue_tasks{queue="slow:live",step="waiting"} 1',
    'darkroom_unknown_outcomes_open{engine="broken"} 1',
    'darkroom_unknown_outcomes_open_dollars{engine="broken"} 0.04',
    'darkroom_reconciliation_open 1',
    'darkroom_upstream_call_seconds_count{engine="broken",call="start",outcome="upstream"} 1',
    'darkroom_work_pending{kind="webhook"} 0',
    'darkroom_database_up 1',
  ])
    assert.ok(metrics.split('\n').includes(line), `${line}\n${metrics.match(/^darkroom_(?!http).*$/gm)?.join('\n')}`);
  assert.match(metrics, /^darkroom_queue_oldest_seconds\{queue="slow:live",step="waiting"\} [\d.]+$/m);
  assert.match(metrics, /^darkroom_build_info\{version="[\d.]+[^"]*",node="v[\d.]+",role="all"\} 1$/m);
  hangs.reject(new EngineError('timeout', 'given up', { took: 'unknown' }));
  await until(read, (text) => /^darkroom_unknown_outcomes_open\{engine="slow"\} [12]$/m.test(text));
});
