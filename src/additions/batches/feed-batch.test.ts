import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdWrites } from '../../../test/helpers/hold-writes.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { OrderingKey } from '../../kernel.ts';
import { changeLimitsOfKey } from '../../tasks/change-limits-of-key.ts';
import { parentGateOf } from '../../tasks/parent-gate.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { cancelPortion } from './cancel-portion.ts';
import { BatchDraft } from './draft-batch.ts';
import { placePortion } from './feed-batch.ts';
import { placeBatch } from './place-batch.ts';

const FIELDS = { maxPrice: null, maxParallel: null, deliverTo: null, webhookUrl: null, metadata: {} };
const FOX = { model_id: 'sketch', prompt: 'a fox' };

/** Places a batch of two orders, of which the second one uses the first one's output. @returns its id */
async function place(services: TaskServices, key: OrderingKey): Promise<string> {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  await drafting.add('orders[0]', { name: 'first', operation: 'images', body: FOX });
  const next = { ...FOX, wait_for_parent: true, image_urls: ['order:first'] };
  await drafting.add('orders[1]', { operation: 'images', body: next });
  const { batch } = await placeBatch(kernelOf(services), key, {
    draft: await drafting.finish(),
    fields: FIELDS,
    claim: null,
  });
  return batch.batch_id;
}

const statusesOf = async ({ database: { read } }: TaskServices) =>
  (await read.all(read.builder.selectFrom('tasks').select('status').orderBy('id'))).map(({ status }) => status);

test('a key that gets its first limit while orders of its batch are inserted is locked by nobody who has written', async (t) => {
  const { services, openAnother, clock } = await openTestServices(t, 'postgres');
  const another = await openAnother();
  const key = await insertKey(services);
  const gate = parentGateOf(services);
  const limiting: TaskServices = {
    ...services,
    parentGate: {
      ...gate,
      async enter(...entered) {
        const by = { actor: 'test', now: clock.now(), createId: services.createId };
        await changeLimitsOfKey(another, by, key.id, { concurrency: 1 });
        return await gate.enter(...entered);
      },
    },
  };
  // A lock after a write fails every test (test/helpers/lock-order.ts).
  assert.equal(await placePortion(kernelOf(limiting), await place(services, key)), false);
  assert.deepEqual(await statusesOf(services), ['queued', 'queued']);
});

test('a batch is canceled although somebody writes one of its orders, which follows', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const batch = await place(services, key);
  await placePortion(kernelOf(services), batch);
  const { read } = services.database;
  const [first] = await read.all(read.builder.selectFrom('tasks').select('id').orderBy('id'));
  using held = holdWrites((await openAnother()).database);
  const writing = held.database.write('write', (trx) =>
    trx.run(
      trx.builder
        .updateTable('tasks')
        .set({ metadata_json: '{}' })
        .where('id', '=', first?.id ?? ''),
    ),
  );
  await held.entered;
  await cancelPortion(kernelOf(services), batch);
  assert.deepEqual(await statusesOf(services), ['queued', 'canceled']);
  held.commit();
  await writing;
  await cancelPortion(kernelOf(services), batch);
  assert.deepEqual(await statusesOf(services), ['canceled', 'canceled']);
});
