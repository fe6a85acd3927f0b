import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/databases.ts';
import { multiplyTask } from '../../test/multiply-task.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { insertTask } from '../orders/draft-task.ts';
import { auditEndUsers } from '../service/doctor/audit-end-users.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { OrderingKey } from './api-key.ts';
import { scopeDigest } from './scope.ts';
import { checkpointOf, findScopeRow, setScopeLimits } from './scope-limits.ts';
import { CHECKPOINT_ORDERS, type Checkpoint, checkpointAt, readSpending } from './scope-spending.ts';

const BY = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };

const HOUR_MS = 3_600_000;

const order = (services: TaskServices, key: OrderingKey, endUser: string) =>
  createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    idempotencyKey: null,
    simulate: null,
    body: { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user: endUser },
  } as const);

forEachDatabase((kind) => {
  test('spending is the same with and without a checkpoint, wherever it is and however it moved', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { database } = services;
    const key = await insertKey(services);
    const { task } = await order(services, key, 'somebody');
    const row = await database.read.first(
      database.read.builder.selectFrom('tasks').selectAll().where('id', '=', task.task_id),
    );
    assert.ok(row !== undefined);
    let run = 0;
    const orders = fc.array(
      fc.record({ hoursAgo: fc.nat({ max: 1_500 }), charged: fc.nat({ max: 9_000 }), isErased: fc.boolean() }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(orders, fc.array(fc.nat({ max: 1_500 }), { maxLength: 4 }), async (list, checkpoints) => {
        const owner = { keyId: key.id, endUser: `user ${run++}` };
        const now = clock.now();
        await database.write('test', async (trx) => {
          for (const { hoursAgo, charged, isErased } of list)
            insertTask(trx, {
              ...row,
              id: services.createId('img'),
              created_at: now - hoursAgo * HOUR_MS,
              charged,
              end_user: isErased ? null : owner.endUser,
              erased_end_user: isErased ? scopeDigest(owner.keyId, owner.endUser) : null,
            });
        });
        const plain = await readSpending(database.read, owner, null, now);
        assert.equal(
          plain.spending.total.charged,
          list.reduce((sum, { charged }) => sum + charged, 0),
        );
        let checkpoint: Checkpoint | null = null;
        for (const hoursAgo of checkpoints.sort((a, b) => b - a)) {
          checkpoint = await checkpointAt(database.read, owner, checkpoint, now - hoursAgo * HOUR_MS);
          assert.deepEqual(checkpoint, await checkpointAt(database.read, owner, null, checkpoint.at));
          const { spending } = await readSpending(database.read, owner, checkpoint, now);
          assert.deepEqual(spending, plain.spending);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('an order of a limited end user with many orders sums up the older ones, up to the first that has not ended', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { database } = services;
    const key = await insertKey(services, { limitsEndUsers: true });
    const { task } = await order(services, key, 'ada');
    const owner = { keyId: key.id, endUser: 'ada' };
    const openIndex = 300;
    const open = clock.now() - (openIndex + 1) * HOUR_MS;
    await multiplyTask(database, task.task_id, {
      count: CHECKPOINT_ORDERS,
      everyMs: HOUR_MS,
      change: (index) => ({ charged: index === openIndex ? null : 5_000 }),
    });
    const spending = async () => {
      const checkpoint = checkpointOf(await findScopeRow(database.read, key.id, 'ada'));
      return (await readSpending(database.read, owner, checkpoint, clock.now())).spending;
    };
    await setScopeLimits(database, BY, key, 'ada', { total: 5_010_000 });
    await order(services, key, 'ada');
    const row = await findScopeRow(database.read, key.id, 'ada');
    assert.equal(row?.closed_at, open);
    assert.equal(row.closed_total, (CHECKPOINT_ORDERS - 1 - openIndex) * 5_000);
    assert.deepEqual((await spending()).total, { charged: (CHECKPOINT_ORDERS - 1) * 5_000, held: 15_000 });
    await assert.rejects(order(services, key, 'ada'), { code: 'end_user_limit_reached' });
    assert.deepEqual(await auditEndUsers(database.read), { looked: 1, faults: [] });
    await database.write('test', (trx) =>
      trx.run(trx.builder.updateTable('end_users').set({ closed_total: 1 }).where('end_user', '=', 'ada')),
    );
    const { faults } = await auditEndUsers(database.read);
    assert.match(faults.join(), /end user 'ada' of key .* \(total\) is 1, its tasks add up to 3495000/);
  });
});
