import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOrder } from '../../test/ended-order.ts';
import { holdWrites } from '../../test/hold-writes.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { cancelTask } from './cancel-task.ts';

test('a cancel that waits for another process keeps no other order locked meanwhile', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const [first, second] = [await placeOrder(services, key), await placeOrder(services, key)];
  using held = holdWrites((await openAnother()).database);
  const writing = held.database.write('write', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ metadata_json: '{}' }).where('id', '=', second.id)),
  );
  await held.entered;
  // Both are sent in one transaction, in which the second one has to wait.
  const [free, locked] = [first, second].map(({ id }) => cancelTask(services, key, 'image', id));
  assert.equal((await free)?.status, 'canceled');
  held.commit();
  await writing;
  assert.equal((await locked)?.status, 'canceled');
});
