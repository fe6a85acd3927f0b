import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TaskView } from '@darkroom-service/contract';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { waitForEnd, waitForTask } from './wait-for-task.ts';

test('of many requests of one key that wait, two read the database at a time, and all are answered', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const { task } = await createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    body: { model_id: 'sketch', prompt: 'a fox' },
    idempotencyKey: null,
    simulate: null,
  });
  const { task_id } = task as TaskView;
  const { read } = services.database;
  let reading = 0;
  let most = 0;
  /** A database whose reads take a while, as those of a server do. */
  const slow = Object.assign(Object.create(read) as typeof read, {
    first: async (...query: Parameters<typeof read.first>) => {
      most = Math.max(most, ++reading);
      await nextTurn();
      reading--;
      return await read.first(...query);
    },
  });
  const { signal } = new AbortController();
  const waiting = Array.from({ length: 50 }, () =>
    waitForTask({ ...services, database: { ...services.database, read: slow } }, key, 'image', task_id, {
      seconds: 0,
      signal,
    }),
  );
  const tasks = await Promise.all(waiting);
  assert.deepEqual(new Set(tasks.map((found) => found.task_id)), new Set([task_id]));
  assert.equal(most, 2);
});

test('who waits in the process that settles is told the end in the same turn, and reads the task once', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const row = await placeOrder(services, key);
  const { read } = services.database;
  let reads = 0;
  const counted = Object.assign(Object.create(read) as typeof read, {
    first: async (...query: Parameters<typeof read.first>) => {
      reads++;
      return await read.first(...query);
    },
  });
  const here = { ...services, database: { ...services.database, read: counted } };
  const waiting = waitForEnd(here, key, 'image', row.id, { seconds: 60, signal: new AbortController().signal });
  await nextTurn();
  // A change that does not end the task wakes nobody who waits for its end.
  services.events.changed(row.id);
  const failure = { code: 'upstream_error', message: 'no picture' } as const;
  assert.ok(await commitEnding(services, 'settle', row, { status: 'failed', failure }));
  const { end, row: seen } = await waiting;
  assert.deepEqual([seen.status, end?.failure, end?.charged, reads], ['queued', failure, 0, 1]);
});
