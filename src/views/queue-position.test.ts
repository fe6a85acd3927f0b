import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskView } from '@darkroom-service/contract';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { createTask } from '../orders/create-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTask } from './find-tasks.ts';

const ORDER = {
  type: 'image',
  path: '/v1/images',
  body: { model_id: 'sketch', prompt: 'a fox' },
  idempotencyKey: null,
  simulate: null,
} as const;

forEachDatabase((kind) => {
  for (const concurrency of [0, 2]) {
    test(`simultaneous orders each get their own queue position (concurrency ${concurrency})`, async (t) => {
      const { services } = await openTestServices(t, kind);
      await orderTogether(services, await insertKey(services), 30);
      const key = await insertKey(services, { concurrency });
      for (const count of [40, 90, 20]) {
        for (const task of await orderTogether(services, key, count)) {
          const found = await findTask(services, key, 'image', task.task_id);
          assert.equal(task.queue_position, found.queue_position, `of ${count}`);
        }
      }
    });
  }
});

async function orderTogether(services: TaskServices, key: OrderingKey, count: number): Promise<TaskView[]> {
  const created = await Promise.all(Array.from({ length: count }, () => createTask(services, key, ORDER)));
  return created.map(({ task }) => task as TaskView);
}
