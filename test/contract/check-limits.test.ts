import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { createCallingEngine, openCallbackBench } from '../helpers/callback-bench.ts';

test('orders are checked no more often than their upstream allows, and can be canceled all the same', async (t) => {
  const checksPerMinute = 12;
  const canceled = new Set<string>();
  const calling = createCallingEngine({ orderMs: () => 600_000, checkAfterMs: 20 });
  const engine: typeof calling = {
    ...calling,
    checksPerMinute,
    cancel: async (_operation, { taskId }) => Boolean(canceled.add(taskId)),
    check: async (operation, order, context) => {
      const checked = await calling.check(operation, order, context);
      return canceled.has(order.taskId) ? { status: 'canceled' } : checked;
    },
  };
  const { call, keys } = await openCallbackBench(t, engine);
  const prompts = ['one', 'two', 'three', 'four'];
  const orders = await Promise.all(
    prompts.map((prompt) => call(keys.live, 'POST', '/v1/images', { model_id: 'conformance', prompt })),
  );
  const checks = () => [...engine.counts.values()].reduce((sum, one) => sum + one.checks, 0);
  await until(checks, (made) => made >= checksPerMinute);
  // Without the limit there would be a hundred by then.
  await pause(500);
  assert.equal(checks(), checksPerMinute);
  const [first] = orders;
  assert.equal((await call(keys.live, 'POST', first!.data.urls.cancel)).status, 200);
  const { data } = await call(keys.live, 'GET', first!.data.urls.self, undefined, { prefer: 'wait=30' });
  assert.equal(data.status, 'canceled');
  for (const { data: order } of orders.slice(1))
    assert.equal((await call(keys.live, 'GET', order.urls.self)).data.status, 'processing');
});
