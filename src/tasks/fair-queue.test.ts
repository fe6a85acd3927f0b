import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchQueryPlans } from '../../test/query-plans.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { fillSlots } from './fair-queue.ts';

test('the next orders of a key are found by indexes of what waits, however many tasks the key has', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services, { concurrency: 1 });
  for (const prompt of ['a fox', 'a cat', 'an owl']) {
    const body = { model_id: 'sketch', prompt };
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  }
  const plans = watchQueryPlans(t);
  await database.write('fill', (trx) => fillSlots(trx, key.id, 3));
  const steps = plans();
  const { read } = database;
  const claimable = await read.all(read.builder.selectFrom('tasks').select('id').where('claimable', '=', 1));
  assert.equal(claimable.length, 3);
  assert.ok(
    steps.some((step) => step.includes('tasks_deferred')) && steps.some((step) => step.includes('tasks_blocked')),
    steps.join('; '),
  );
  assert.deepEqual(
    steps.filter((step) => step.includes('tasks_by_key') || step === 'SCAN tasks'),
    [],
  );
});
