import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { insertProcess } from '../../../test/helpers/insert-process.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { Database } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { createTask } from '../../orders/create-task.ts';
import { recordShutdown } from '../record-shutdown.ts';
import { listProcesses } from './processes.ts';

const MINUTE_MS = 60_000;

forEachDatabase((kind) => {
  test('a clean stop makes no process missing: neither the stopped one, nor one that it replaced after a kill', async (t) => {
    const { database } = await openTestServices(t, kind);
    const start = await createStart(database);
    await start('killed-1', { startedMinutes: 30, heardMinutes: 20 });
    await start('killed-2', { startedMinutes: 30, heardMinutes: 20 });
    assert.deepEqual(await missing(database), ['killed-1', 'killed-2']);
    await start('new-1', { startedMinutes: 19, heardMinutes: 0 });
    await start('new-2', { startedMinutes: 18, heardMinutes: 0 });
    assert.deepEqual(await missing(database), []);
    assert.equal(await database.write('process_ends', (trx) => recordShutdown(trx, 'new-2')), true);
    assert.deepEqual(await missing(database), []);
    const listed = await listProcesses(database.read);
    assert.deepEqual(listed.map(({ process_id }) => process_id).sort(), ['killed-1', 'killed-2', 'new-1']);
    await start('killed-3', { startedMinutes: 15, heardMinutes: 5 });
    assert.deepEqual(await missing(database), ['killed-3']);
  });

  test('a process that was stopped with orders in progress has ended, is not missing, and is listed until others have them', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const body = { model_id: 'sketch', prompt: 'a fox' };
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
    const start = await createStart(database);
    await start('stopped', { startedMinutes: 30, heardMinutes: 20 });
    await claimTasks(database, { worker: 'stopped', queues: [{ name: 'sketch:live', capacity: 1 }], limit: 1 });
    assert.equal(await database.write('process_ends', (trx) => recordShutdown(trx, 'stopped')), false);
    const [listed] = await listProcesses(database.read);
    assert.deepEqual([listed?.state, listed?.missing, listed?.tasks], ['ended', false, 1]);
  });
});

async function createStart(database: Database) {
  const now = await databaseNow(database.read);
  return (id: string, times: { readonly startedMinutes: number; readonly heardMinutes: number }) =>
    database.write('process', (trx) =>
      insertProcess(trx, id, {
        started_at: now - times.startedMinutes * MINUTE_MS,
        beat_at: now - times.heardMinutes * MINUTE_MS,
      }),
    );
}

async function missing({ read }: Database): Promise<string[]> {
  const processes = await listProcesses(read);
  return processes
    .filter((process) => process.missing)
    .map(({ process_id }) => process_id)
    .sort();
}
