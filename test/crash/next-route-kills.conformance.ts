import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPremises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';
import { readSubmissions } from './paid-engine.ts';

const ENGINES = [{ name: 'paid-full', full: true, next: 'paid-polled' }, { name: 'paid-polled' }];

test('killed while it goes on to its next route, an order is submitted once at most, and is not lost', async (t) => {
  const premises = await openPremises(t, ENGINES);
  const order: Script = async (client) => {
    const body = { model_id: 'paid-full', prompt: 'a fox' };
    const taskId = await client.order(premises.keys.live, '/v1/images', body);
    const task = await client.final(premises.keys.live, '/v1/images', taskId);
    const makers = readSubmissions(premises.books).flatMap((each) => (each.taskId === taskId ? [each.engine] : []));
    if (task.status === 'succeeded') assert.deepEqual([task.cost.amount, makers], ['0.04', ['paid-polled']]);
    else {
      // The other one was just being handed over when the service was killed.
      assert.deepEqual([task.error.code, task.cost.amount], ['outcome_unknown', '0.00']);
      assert.ok(makers.length <= 1);
    }
  };
  const moments = ['before', 'after'] as const;
  const steps = moments.map((moment): Step => ({ kill: { name: 'next_route', moment }, scripts: [order, order] }));
  await runKillChain(t, premises, ENGINES, steps);
});
