import assert from 'node:assert/strict';
import type { OrderingKey } from '../src/accounts/api-key.ts';
import { createTask } from '../src/orders/create-task.ts';
import type { TaskServices } from '../src/tasks/task-services.ts';
import { commitEnding } from './task-commits.ts';

/** Places an order and commits its success at its full price. @returns the task's id */
export async function placeAndEnd(services: TaskServices, key: OrderingKey): Promise<string> {
  const made = await createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    body: { model_id: 'sketch', prompt: 'a fox' },
    idempotencyKey: services.createId('idem'),
    simulate: null,
  });
  assert.ok('task' in made);
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', made.task.task_id));
  assert.ok(row !== undefined);
  const charge = { amount: row.price, lines: [] };
  assert.ok(await commitEnding(services, 'settle', row, { status: 'succeeded', outputs: [], keep: null, charge }));
  return row.id;
}
