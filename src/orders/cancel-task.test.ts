import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { holdWrites } from '../../test/helpers/hold-writes.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { findTask } from '../views/find-tasks.ts';
import { cancelWithin } from './cancel-task.ts';

test('a cancel that waits for another process keeps no other order locked meanwhile', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const [first, second] = [await placeOrder(services, key), await placeOrder(services, key)];
  using held = holdWrites((await openAnother()).database);
  const writing = held.database.write('write', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ metadata_json: '{}' }).where('id', '=', second.id)),
  );
  await held.entered;
  // Both are sent in one transaction, in this sequence: the second one has to wait while the first one's rows are held.
  const [free, locked] = [first, second].map(({ id }) =>
    services.database.write('cancel_task', (trx) => cancelWithin(services, trx, { id, api_key_id: key.id })),
  );
  await free;
  const statusOf = async ({ id }: typeof first) => (await findTask(services, key, 'image', id)).status;
  assert.equal(await statusOf(first), 'canceled');
  held.commit();
  await writing;
  await locked;
  assert.equal(await statusOf(second), 'canceled');
});
