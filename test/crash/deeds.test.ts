import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openPremises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';

test('a deed for many orders that was interrupted by a kill is done to each of them, once', async (t) => {
  const premises = await openPremises(t);
  const { test: key, admin } = premises.keys;
  let deeds = 0;
  const canceled: Script = async (client) => {
    const customer = `customer-${deeds++}`;
    const body = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' }, end_user: customer };
    const taskIds = [await client.order(key, '/v1/images', body), await client.order(key, '/v1/images', body)];
    const cancel = () =>
      client.call(
        admin,
        'POST',
        '/admin/v1/tasks/cancel',
        { mode: 'test', search: customer, expected: taskIds.length },
        { 'idempotency-key': customer },
      );
    const last = await until(cancel, ({ status, body: answer }) => {
      assert.equal(status, 200, JSON.stringify(answer));
      return answer.data.pending === 0;
    });
    assert.equal(last.body.data.orders, taskIds.length);
    for (const taskId of taskIds) assert.equal((await client.final(key, '/v1/images', taskId)).status, 'canceled');
    const acts = await client.call(admin, 'GET', '/admin/v1/audit?act=task.cancel&limit=100' as '/admin/v1/audit');
    for (const taskId of taskIds)
      assert.equal(acts.body.data.items.filter(({ target }) => target === taskId).length, 1, taskId);
  };
  const steps = ['enter_deeds', 'do_deed'].flatMap((name) =>
    (['before', 'after'] as const).map(
      (moment): Step => ({ kill: { name, moment }, scripts: [canceled], onceReady: true }),
    ),
  );
  await runKillChain(t, premises, [], steps);
});
