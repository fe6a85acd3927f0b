import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTasks } from './books.ts';
import { openPremises } from './child-service.ts';
import { drawKills } from './drawn-kills.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';

const ENGINES = [
  { name: 'paid-polled', stumbles: true },
  { name: 'paid-found', findable: true },
  { name: 'paid-slow', startMs: 150, workMs: 100 },
  { name: 'paid-slow-found', startMs: 150, findable: true },
  { name: 'paid-blocking', blocking: true },
  { name: 'paid-shy', shy: true },
];
const MODELS = ['paid-polled', 'paid-found', 'paid-slow', 'paid-slow-found', 'paid-blocking', 'paid-shy'];
/** The commits of a group follow from each other. */
const POINTS = [
  ['create_task'],
  ['claim_tasks'],
  // The second one settles what the kill before left behind.
  ['submitting', 'settle_unknown'],
  ['running'],
  ['note_progress'],
  ['let_go'],
  ['deferred'],
  ['settle_succeeded'],
  // The kill before left tasks behind, which the next start takes over: killed while it does, and once it has.
  ['take_over'],
];

test('killed at every commit, a paid order is never submitted twice, and charged only when it was delivered', {
  timeout: 600_000,
}, async (t) => {
  const premises = await openPremises(t, ENGINES);
  const order =
    (model: string): Script =>
    async (client) => {
      const body = { model_id: model, prompt: 'a fox' };
      const taskId = await client.order(premises.keys.live, '/v1/images', body);
      const task = await client.final(premises.keys.live, '/v1/images', taskId);
      if (task.status === 'succeeded') assert.equal(task.cost.amount, '0.04');
      else
        assert.deepEqual([task.error.code, task.cost.state, task.cost.amount], ['outcome_unknown', 'released', '0.00']);
    };
  const steps: Step[] = drawKills(t, POINTS)
    .flat()
    .flatMap((name) =>
      (['before', 'after'] as const).map((moment) => ({ kill: { name, moment }, scripts: MODELS.map(order) })),
    );
  await runKillChain(t, premises, ENGINES, steps);
});

test('killed at the commit that places and begins an order, it is never submitted twice', {
  timeout: 600_000,
}, async (t) => {
  const premises = await openPremises(t, ENGINES);
  const order =
    (model: string, index: number): Script =>
    async (client, child) => {
      const prompt = `a fox ${model} ${index} ${child.url}`;
      const { live } = premises.keys;
      // By the OpenAI mount, or by a caller who waits.
      const sent =
        index % 2 === 0
          ? child.call(live, 'POST', '/openai/v1/images/generations', { model, prompt })
          : child.call(live, 'POST', '/v1/images', { model_id: model, prompt }, { prefer: 'wait=60' });
      await sent.catch(() => {});
      const placed = (await readTasks(premises.database)).filter(({ input_json: input }) => input.includes(prompt));
      for (const { id } of placed) await client.final(premises.keys.live, '/v1/images', id);
    };
  const steps = ['create_task', 'settle_succeeded'].flatMap((name) =>
    (['before', 'after'] as const).map((moment) => ({
      kill: { name, moment },
      scripts: [...MODELS, ...MODELS].map(order),
    })),
  );
  await runKillChain(t, premises, ENGINES, steps);
});
