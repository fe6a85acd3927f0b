import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../src/database/database.ts';
import { eraseTask } from '../../../src/erasure/erase-task.ts';
import type { Store } from '../../../src/kernel.ts';
import type { StoredOutput } from '../../../src/record/task.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeAndEnd } from '../../../test/helpers/ended-order.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createShare } from './make-shares.ts';

const OUTPUT: StoredOutput = {
  key: 'tasks/1.png',
  contentType: 'image/png',
  bytes: 1,
  width: 1,
  height: 1,
  sha256: '',
  thumbnailKey: null,
  durationSeconds: null,
  fps: null,
  hasAudio: null,
  tiles: null,
  seed: null,
  revisedPrompt: null,
};
const WANTED = { showsPrompt: false, lifetimeMs: 3_600_000 };

forEachDatabase((kind) => {
  test('a task that is erased while a link to it is made gets no link, and leaves no row', async (t) => {
    const { services, openAnother } = await openTestServices(t, kind);
    const other = await openAnother();
    const key = await insertKey(services);
    const [first, second] = [await placeAndEnd(services, key, [OUTPUT]), await placeAndEnd(services, key, [OUTPUT])];
    for (const tasks of [first, [second, first]]) {
      const erased = typeof tasks === 'string' ? tasks : (tasks[0] ?? '');
      const kernel = kernelOf(services);
      const late = { ...kernel, store: meanwhile(kernel.store, () => eraseTask(other, erased, GONE)) };
      await assert.rejects(createShare(late, key, { ...WANTED, tasks }), (error) => {
        assert.ok(error instanceof Error && 'code' in error);
        return ['outputs_expired', 'task_not_found'].includes(String(error.code));
      });
    }
    assert.deepEqual(await linked(services.database), []);
  });

  test('tasks that are erased at the same time as links to them are made are in no link afterwards', async (t) => {
    const { services, openAnother } = await openTestServices(t, kind);
    const other = await openAnother();
    const key = await insertKey(services);
    for (let round = 0; round < 10; round++) {
      const tasks = await Promise.all([1, 2, 3].map(() => placeAndEnd(services, key, [OUTPUT])));
      const erasing = tasks.map((id) => eraseTask(other, id, GONE));
      const making = [1, 2].map(() => createShare(kernelOf(services), key, { ...WANTED, tasks }).catch(() => null));
      await Promise.all([...erasing, ...making]);
      assert.deepEqual(await linked(services.database), []);
    }
  });
});

const GONE = { deletedAt: 1 };

/** A database before each of whose writes something else happens. */
function meanwhile(store: Store, act: () => Promise<void>): Store {
  const write: Store['write'] = async (...unit) => {
    await act();
    return await store.write(...unit);
  };
  return { ...store, write };
}

async function linked({ read }: Database): Promise<string[]> {
  return (await read.all(read.builder.selectFrom('shares').select('task_id'))).map((row) => row.task_id);
}
