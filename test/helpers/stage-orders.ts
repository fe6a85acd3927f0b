import assert from 'node:assert/strict';
import type { JsonObject } from '@darkroom-service/contract';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import { createTask } from '../../src/orders/create-task.ts';
import { isFinal, type TaskRow } from '../../src/record/task.ts';
import { MADE_NOTHING, type Stage } from './route-stage.ts';
import type { ManualClock } from './task-services.ts';

export async function placeOrder({ services }: Stage, key: OrderingKey, more: JsonObject = {}): Promise<string> {
  const body = { model_id: 'sketch', prompt: 'a fox', ...more };
  const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
  return (await createTask(services, key, order)).task.task_id;
}

export async function untilFinal(stage: Stage, keyId: string, stepMs = 240_000): Promise<TaskRow[]> {
  for (let rounds = 0; ; rounds++) {
    const rows = await rowsOf(stage, keyId);
    if (rows.every((row) => isFinal(row.status))) return rows;
    assert.ok(
      rounds * stepMs < 48_000_000 && rounds < 2_000,
      `not final: ${JSON.stringify(rows.map(({ step, queue }) => ({ step, queue })))}`,
    );
    (stage.clock as ManualClock).advance(stepMs);
    await stage.round();
  }
}

/** Names the engine that took a task's order and made nothing of it; null if the task ended otherwise, or not yet. */
export function takerOf({ error_json }: Pick<TaskRow, 'error_json'>): string | null {
  const { message = '' } = JSON.parse(error_json ?? '{}') as { message?: string };
  return message.endsWith(MADE_NOTHING) ? message.slice(0, -MADE_NOTHING.length) : null;
}

export async function rowsOf({ services }: Stage, keyId: string): Promise<TaskRow[]> {
  const { read } = services.database;
  return await read.all(read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', keyId));
}
