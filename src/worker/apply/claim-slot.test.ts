import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { watchQueryPlans } from '../../../test/helpers/query-plans.ts';
import { commitMove } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createTask } from '../../orders/create-task.ts';
import { readTask } from '../../record/task-record.ts';
import { Permits } from '../claim-permits.ts';
import { claimEngineSlot } from './claim-slot.ts';

test('a deferred order gets an engine slot by an index, and only if one is free', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  for (const prompt of ['a fox', 'a cat', 'an owl']) {
    const body = { model_id: 'sketch', prompt };
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  }
  const claim = { worker: 'one', queues: [{ name: 'sketch:live', capacity: 10 }], limit: 10 };
  const [first, second, third] = await claimTasks(database, claim);
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const deferred = await commitMove(services, await commitMove(services, readTask(first), 'submitting'), 'deferred');
  await commitMove(services, await commitMove(services, readTask(second), 'submitting'), 'deferred');
  const plansSoFar = watchQueryPlans(t);
  assert.equal(await claimEngineSlot(services, deferred, 1, {}), null, 'the third has the only place');
  const claimed = await claimEngineSlot(services, deferred, 2, {});
  assert.ok(claimed !== null && claimed !== 'too_early');
  assert.equal(claimed.step, 'submitting', 'one that is deferred has none');
  const plans = plansSoFar();
  assert.ok(
    plans.some((step) => step.includes('tasks_in_flight')),
    plans.join('; '),
  );
  assert.deepEqual(
    plans.filter((step) => step.startsWith('SCAN tasks')),
    [],
  );
});

test('a deferred order gets no slot that another process may fill with a waiting one', async (t) => {
  const { services, database, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const order = async () => {
    const body = { model_id: 'sketch', prompt: 'a fox' };
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  };
  await order();
  const queues = [{ name: 'sketch:live', capacity: 2 }];
  const [first] = await claimTasks(database, { worker: 'one', queues, limit: 1 });
  assert.ok(first !== undefined);
  const deferred = await commitMove(services, await commitMove(services, readTask(first), 'submitting'), 'deferred');
  await order();
  // It has asked, and not claimed yet.
  await new Permits((await openAnother()).database).ask(queues, 1);
  assert.equal(await claimEngineSlot(services, deferred, 1, {}), null);
  const claimed = await claimEngineSlot(services, deferred, 2, {});
  assert.ok(claimed !== null && claimed !== 'too_early');
});
