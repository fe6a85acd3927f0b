import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/databases.ts';
import { execute, placeOldSchema, readOldInstallation } from '../../../test/upgrade/version-52.ts';
import { openDatabase } from '../../database/open-database.ts';

forEachDatabase((_, openTestDatabase) => {
  test('orders of older schemas keep their batch, their name there, and their turn until it lets them in', async (t) => {
    const { database, address } = await openTestDatabase(t);
    const old = readOldInstallation();
    const { tasks = [], batches = [] } = old.rows;
    await placeOldSchema(database, old);
    await execute(database, "update tasks set batch_name = 'name of ' || id where batch_id is not null");
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;
    const rows = await read.all(read.builder.selectFrom('batch_orders').selectAll().orderBy('task_id'));
    const ordersOf = new Map(batches.map(({ id, orders }) => [id, Number(orders)]));
    const inBatch = tasks
      .filter(({ batch_id: batch }) => batch !== null)
      .sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1));
    const turnOf = ({ rank, step, waiting_json: json }: (typeof tasks)[number]) =>
      step === 'blocked' ? Number((JSON.parse(String(json)) as { readonly rank: number }).rank) : Number(rank);
    const expected = inBatch.map((task) => {
      const turn = turnOf(task);
      const isHeld = task.status === 'queued' && turn < 0;
      return {
        task_id: task.id,
        batch_id: task.batch_id,
        position: isHeld ? turn + (ordersOf.get(task.batch_id) ?? 0) : 0,
        name: `name of ${task.id}`,
        state: task.step === 'final' ? task.status : isHeld ? 'held' : 'open',
        price: task.price,
        charged: task.charged,
      };
    });
    assert.deepEqual(rows, expected);
    for (const state of ['held', 'open'] as const)
      assert.ok(
        rows.some((row) => row.state === state),
        state,
      );
  });
});
