import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeDays, DAY_MS } from '../../src/accounts/closed-days.ts';
import { balanceOf } from '../../src/accounts/ledger.ts';
import { taskDays } from '../../src/accounts/task-days.ts';
import { readUsage } from '../../src/additions/usage/read-usage.ts';
import { eraseTask } from '../../src/erasure/erase-task.ts';
import { forEachDatabase } from '../helpers/databases.ts';
import { placeAndEnd } from '../helpers/ended-order.ts';
import { kernelOf } from '../helpers/kernel.ts';
import { insertKey, openTestServices } from '../helpers/task-services.ts';
import { killAtEachCommit } from './kill-chore.ts';

const TASKS = 12;
const TASK_MS = 120 * DAY_MS;

forEachDatabase((kind) => {
  test('a removal that is killed at its commits leaves each task with its key or its hash, and is finished later', async (t) => {
    const { services, database, clock, address } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const from = clock.now() - (clock.now() % DAY_MS);
    for (let made = 0; made < TASKS; made++) {
      clock.advance(DAY_MS / 3);
      await eraseTask(services, await placeAndEnd(services, key), { deletedAt: null });
    }
    clock.advance(TASK_MS + DAY_MS);
    await closeDays(database, taskDays, clock.now());
    const { read } = database;
    const sums = async () => {
      const options = {
        scope: 'key',
        timezone: 'UTC',
        endUser: null,
        timing: true,
        groupBy: ['day'],
        limit: 100,
        after: null,
      } as const;
      const { items } = await readUsage(kernelOf(services), key, { ...options, from, to: clock.now() });
      const counted = items.map(({ day, tasks, charged }) => ({ day, tasks, charged }));
      return { usage: counted, balance: await balanceOf(read, key.account.id, 'live') };
    };
    const before = await sums();
    const chore = { does: 'remove', taskMs: TASK_MS } as const;
    const kills = await killAtEachCommit({ address, now: clock.now(), chore }, assertWhole);
    assert.ok(kills > 3, `only ${kills} kills`);
    assert.deepEqual(await read.all(read.builder.selectFrom('tasks').select('id')), []);

    async function assertWhole(): Promise<void> {
      const tasks = await read.all(read.builder.selectFrom('tasks').select('id').orderBy('id'));
      const keys = await read.all(read.builder.selectFrom('idempotency').selectAll().orderBy('subject_id'));
      assert.equal(keys.length, TASKS);
      assert.deepEqual(
        keys.filter(({ scope }) => scope !== 'expired').map(({ subject_id }) => subject_id),
        tasks.map(({ id }) => id),
      );
      assert.deepEqual(await sums(), before);
    }
  });
});
