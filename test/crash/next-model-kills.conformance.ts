import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPremises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';
import { readSubmissions } from './paid-engine.ts';

const ENGINES = [{ name: 'paid-full', full: true }, { name: 'paid-polled' }];
/** The commit that moves an order, and that by which it is sent to its next model. */
const COMMITS = [{ name: 'next_route' }, { name: 'submitting', occurrence: 2 }];
const STEPS = COMMITS.flatMap((commit) => (['before', 'after'] as const).map((moment) => ({ ...commit, moment })));

for (const onPostgres of [false, true])
  test(`killed while it goes on to its next model on ${onPostgres ? 'PostgreSQL' : 'SQLite'}, an order is submitted once at most, by one model, and is not lost`, async (t) => {
    const premises = await openPremises(t, ENGINES, onPostgres);
    const order: Script = async (client) => {
      const body = { model_id: 'paid-full', prompt: 'a fox', fallback_models: ['paid-polled'] };
      const taskId = await client.order(premises.keys.live, '/v1/images', body);
      const task = await client.final(premises.keys.live, '/v1/images', taskId);
      const makers = readSubmissions(premises.books).flatMap((each) => (each.taskId === taskId ? [each.engine] : []));
      assert.equal(task.requested_model_id, 'paid-full');
      assert.equal(task.input.model_id, task.model_id);
      if (task.status === 'succeeded') {
        assert.deepEqual([task.model_id, task.cost.amount, makers], ['paid-polled', '0.04', ['paid-polled']]);
        assert.deepEqual(
          task.tried_models?.map(({ model_id: id }) => id),
          ['paid-full'],
        );
      } else {
        // One of the upstreams was just being sent the order when the service was killed.
        assert.deepEqual([task.error?.code, task.cost.amount], ['outcome_unknown', '0.00']);
        assert.ok(makers.length <= 1);
      }
    };
    const steps = STEPS.map((kill): Step => ({ kill, scripts: [order, order] }));
    await runKillChain(t, premises, ENGINES, steps);
  });
