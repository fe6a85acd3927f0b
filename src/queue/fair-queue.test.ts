import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { watchQueryPlans } from '../../test/helpers/query-plans.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { Transaction } from '../database/database.ts';
import { createTask } from '../orders/create-task.ts';
import { insertTask } from '../orders/draft-task.ts';
import { fillSlots, placeInQueue } from './fair-queue.ts';

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

/** Orders and ends that are committed together: an end is that of the nth claimable task. */
const group = fc.array(fc.constantFrom('order', 'order', 0, 1, 2), { minLength: 4, maxLength: 10, size: 'max' });

forEachDatabase((kind) => {
  test('orders and ends that are committed together use all slots of their key, and no more', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const { read } = database;
    const commitGroups = async (concurrency: number, groups: readonly (readonly (string | number)[])[]) => {
      const key = await insertKey(services, { concurrency });
      const body = { model_id: 'sketch', prompt: 'a fox' };
      await createTask(services, key, { type: 'image', path: '/', body, idempotencyKey: null, simulate: null });
      const ofKey = read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id);
      const [pattern] = await read.all(ofKey);
      assert.ok(pattern !== undefined);
      const position = { queue: pattern.queue, keyId: key.id, concurrency, gates: 0, line: 0 } as const;
      const placeOrder = async (trx: Transaction) => {
        const { rank, claimable } = await placeInQueue(trx, position);
        insertTask(trx, { ...pattern, id: services.createId('img'), rank, claimable });
      };
      for (const acts of groups) {
        const holders = await read.all(ofKey.where('claimable', '=', 1).orderBy('id'));
        await Promise.all(
          acts.map(async (act) => {
            if (typeof act === 'string') return await database.write('order', placeOrder, { together: true });
            const holder = holders[act];
            if (holder !== undefined) await commitEnding(services, 'end', holder, { status: 'canceled' });
          }),
        );
        const open = await read.all(ofKey.where('step', '!=', 'final'));
        const claimable = open.filter((task) => task.claimable === 1);
        assert.equal(claimable.length, Math.min(concurrency, open.length));
      }
    };
    const keys = fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(group, { minLength: 2, maxLength: 4 }),
      commitGroups,
    );
    await fc.assert(keys, { numRuns: 50 });
  });
});
