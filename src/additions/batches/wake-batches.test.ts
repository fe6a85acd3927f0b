import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { settleTask } from '../../tasks/settle-task.ts';
import { BatchDraft } from './draft-batch.ts';
import { placePortion } from './feed-batch.ts';
import { placeBatch } from './place-batch.ts';
import { batchesOf } from './wake-batches.ts';

const FIELDS = { maxPrice: null, maxParallel: null, deliverTo: null, webhookUrl: null, metadata: {} };

test('an order of a batch that ends wakes its batch alone, and what names a batch wakes that one', async (t) => {
  const { services } = await openTestServices(t);
  const { read } = services.database;
  const woken: unknown[] = [];
  const watched = { ...services, wakeWork: (kind?: string, subject?: string) => woken.push([kind, subject]) };
  const key = await insertKey(services);
  const place = async () => {
    const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
    await drafting.add('orders[0]', { operation: 'images', body: { model_id: 'sketch', prompt: 'a fox' } });
    const { batch } = await placeBatch(kernelOf(services), key, {
      draft: await drafting.finish(),
      fields: FIELDS,
      claim: null,
    });
    await placePortion(kernelOf(services), batch.batch_id);
    return batch.batch_id;
  };
  const batch = await place();
  const other = await place();
  const task = await read.first(
    read.builder
      .selectFrom('batch_orders')
      .innerJoin('tasks', 'tasks.id', 'task_id')
      .selectAll('tasks')
      .where('batch_id', '=', batch),
  );
  assert.ok(task !== undefined);
  await services.database.write('end', (trx) => settleTask(watched, trx, task, { status: 'canceled' }));
  assert.deepEqual(woken, [['batch', task.id]]);
  assert.deepEqual([...(await batchesOf(read, [task.id]))], [batch]);
  assert.deepEqual([...(await batchesOf(read, [other, task.id, 'img_of_none']))], [other, batch]);
});
