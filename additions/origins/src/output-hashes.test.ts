import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../src/database/database.ts';
import { eraseTask } from '../../../src/erasure/erase-task.ts';
import type { StoredOutput } from '../../../src/record/task.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeAndEnd } from '../../../test/helpers/ended-order.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { ORIGIN_FOLLOWER, ORIGIN_HOOKS } from './output-hashes.ts';

const outputOf = (sha256: string): StoredOutput => ({
  key: `tasks/${sha256}.png`,
  contentType: 'image/png',
  bytes: 1,
  width: 1,
  height: 1,
  sha256,
  durationSeconds: null,
  fps: null,
  hasAudio: null,
  tiles: null,
  seed: null,
  revisedPrompt: null,
  thumbnailKey: null,
});

forEachDatabase((kind) => {
  test('each output of a task is found until the task is erased, and the same output of another task after that', async (t) => {
    const opened = await openTestServices(t, kind);
    const services = { ...opened.services, hooks: [ORIGIN_HOOKS], followers: [{ ...ORIGIN_FOLLOWER, bit: 4 }] };
    const key = await insertKey(services);
    const first = await placeAndEnd(services, key, ['a', 'b', 'a'].map(outputOf));
    const second = await placeAndEnd(services, key, [outputOf('a')]);
    await placeAndEnd(services, key);
    const { database } = services;
    assert.deepEqual(await hashes(database), [`a ${first}`, `a ${second}`, `b ${first}`]);
    for (const deletedAt of [null, 1]) {
      await eraseTask(services, first, { deletedAt });
      assert.deepEqual(await hashes(database), [`a ${second}`]);
    }
  });
});

async function hashes({ read }: Database): Promise<string[]> {
  const rows = await read.all(read.builder.selectFrom('output_hashes').selectAll());
  return rows.map((row) => `${row.sha256} ${row.task_id}`).sort();
}
