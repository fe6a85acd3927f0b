import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CostOrderView } from '@darkroom-service/contract';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { startTestService } from '../../helpers/service.ts';

test('what xAI charges for an order that it moderated is told to the operator, and the customer pays nothing', async (t) => {
  const xai = await openFakeXai();
  t.after(() => xai.stop());
  const { call, keys, make } = await startTestService(t, {
    env: { XAI_API_KEY: xai.key, DARKROOM_XAI_URL: xai.url },
  });
  const order = { model_id: 'grok-imagine-image', prompt: 'a fox [[end=nothing]]' };
  const task = await make(keys.live, '/v1/images', order);
  assert.deepEqual([task.error.code, task.cost.amount], ['content_policy', '0.00']);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/costs/orders');
  const [row] = data.items as readonly CostOrderView[];
  const { task_id: id, told, cost, revenue } = row ?? {};
  assert.deepEqual([id, told, cost, revenue], [task.task_id, '0.02', '0.02', '0.00']);
});
