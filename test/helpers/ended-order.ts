import assert from 'node:assert/strict';
import type { JsonObject } from '@darkroom-service/contract';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import { createTask } from '../../src/orders/create-task.ts';
import type { StoredOutput, TaskRow } from '../../src/record/task.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { commitEnding } from './task-commits.ts';

const FOX = { model_id: 'sketch', prompt: 'a fox' };

/** Places an order and returns the row of its task. */
export async function placeOrder(
  services: TaskServices,
  key: OrderingKey,
  type: 'image' | 'video' = 'image',
  body: JsonObject = FOX,
): Promise<TaskRow> {
  const idempotencyKey = services.createId('idem');
  const made = await createTask(services, key, { type, path: `/v1/${type}s`, body, idempotencyKey, simulate: null });
  assert.ok('task' in made);
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', made.task.task_id));
  assert.ok(row !== undefined);
  return row;
}

/** Places an order and commits its success at its full price. @returns the task's id */
export async function placeAndEnd(
  services: TaskServices,
  key: OrderingKey,
  outputs: readonly StoredOutput[] = [],
): Promise<string> {
  const row = await placeOrder(services, key);
  const charge = { amount: row.price, lines: [] };
  assert.ok(await commitEnding(services, 'settle', row, { status: 'succeeded', outputs, keep: null, charge }));
  return row.id;
}
