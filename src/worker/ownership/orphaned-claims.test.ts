import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { createPlacingProcess } from '../../../test/helpers/placing-process.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createConfirmedUnsent } from '../confirmed-unsent.ts';
import { watchOrphanedClaims } from './orphaned-claims.ts';

forEachDatabase((kind) => {
  test('an order whose commit was not confirmed, and which nobody called the engine for, may be submitted by any process', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const process = createPlacingProcess(services, { worker: 'one', capacity: () => 10, permits: null });
    await process.place(key);
    await process.place(key);
    const [lost, working] = process.begun;
    const confirmedUnsent = createConfirmedUnsent();
    confirmedUnsent.record(lost!);
    confirmedUnsent.record(working!);
    const released: string[] = [];
    const orphans = watchOrphanedClaims(
      { database, worker: 'one', confirmedUnsent },
      (taskId) => taskId === working?.id,
      (ids) => void released.push(...ids),
    );
    orphans.suspect();
    await orphans.check();
    assert.deepEqual(released, [lost!.id]);
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', lost!.id));
    assert.deepEqual([row?.step, row?.worker, row?.fence], ['deferred', null, lost!.fence + 1]);
  });
});
