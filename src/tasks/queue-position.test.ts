import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../test/databases.ts';
import { insertKey, openTestDesk } from '../../test/desk.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { createTask } from './create-task.ts';
import type { Desk } from './desk.ts';
import { findTask } from './find-tasks.ts';
import type { TaskView } from './task-view.ts';

const ORDER = {
  type: 'image',
  path: '/v1/images',
  body: { model_id: 'sketch', prompt: 'a fox' },
  idempotencyKey: null,
  simulate: null,
} as const;

forEachDatabase((kind) => {
  for (const concurrency of [0, 2]) {
    test(`orders that are placed together are each told their own place (${concurrency} at a time)`, async (t) => {
      const { desk } = await openTestDesk(t, kind);
      await orderTogether(desk, await insertKey(desk), 30);
      const key = await insertKey(desk, { concurrency });
      for (const count of [40, 90, 20]) {
        for (const task of await orderTogether(desk, key, count)) {
          const found = await findTask(desk, key, 'image', task.task_id);
          assert.equal(task.queue_position, found.queue_position, `of ${count}`);
        }
      }
    });
  }
});

async function orderTogether(desk: Desk, key: OrderingKey, count: number): Promise<TaskView[]> {
  const created = await Promise.all(Array.from({ length: count }, () => createTask(desk, key, ORDER)));
  return created.map(({ task }) => task as TaskView);
}
