import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../test/databases.ts';
import { placeAndEnd } from '../../test/ended-order.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { eraseTask } from './erase-task.ts';
import type { TaskHooks } from './task-hooks.ts';

const GONE = { deletedAt: 1 };

forEachDatabase((kind) => {
  test('a hook that refuses keeps the task, and undoes what the hooks before it wrote', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const id = await placeAndEnd(services, await insertKey(services));
    const hooks: TaskHooks[] = [
      { erased: noteIn('before') },
      { erased: () => Promise.reject(new Error('not now')) },
      { erased: noteIn('after') },
    ];
    await assert.rejects(eraseTask({ ...services, hooks }, id, GONE), /not now/);
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').select('erased_at').where('id', '=', id));
    const notes = await read.all(read.builder.selectFrom('secrets').select('name').where('value', '=', id));
    assert.deepEqual([row?.erased_at, notes], [null, []]);
  });

  test('hooks run in their order, and again when a task that is erased is deleted', async (t) => {
    const { services } = await openTestServices(t, kind);
    const id = await placeAndEnd(services, await insertKey(services));
    const seen: string[] = [];
    const hooks: TaskHooks[] = [
      ...services.hooks,
      { erased: async (_trx, task) => seen.push(`first ${task.id}`) },
      { erased: async (_trx, task) => seen.push(`second ${task.id}`) },
    ];
    await eraseTask({ ...services, hooks }, id, { deletedAt: null });
    await eraseTask({ ...services, hooks }, id, GONE);
    assert.deepEqual(seen, [`first ${id}`, `second ${id}`, `first ${id}`, `second ${id}`]);
  });
});

function noteIn(name: string): NonNullable<TaskHooks['erased']> {
  return (trx, { id }) => trx.run(trx.builder.insertInto('secrets').values({ name, value: id }));
}
