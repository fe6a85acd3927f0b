import { frameTexts } from '../texts/frame.ts';
import { ApiError } from './api-error.ts';
import { call } from './client.ts';
import { rememberTask, typeOfTask } from './follow-task.ts';
import type { Values } from './model.ts';
import { orderingKey, sessionStore } from './session.ts';
import type { Task } from './types.ts';
import { refresh } from './use-api.ts';

/** An order that may be sent repeatedly: its `Idempotency-Key` makes it one task. */
export interface Order {
  readonly kind: 'image' | 'video' | 'action';
  readonly body: Values;
  readonly idempotencyKey: string;
}

export function newOrder(kind: Order['kind'], body: Values): Order {
  // Not randomUUID(), which browsers only offer on https and localhost.
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  return { kind, body, idempotencyKey: `console-${random.join('')}` };
}

/** Sends an order and caches its task. @throws ApiError */
export async function placeOrder({ kind, body, idempotencyKey }: Order): Promise<Task> {
  const options = { headers: { 'idempotency-key': idempotencyKey } };
  const created =
    kind === 'action'
      ? await call('POST /v1/images/actions', { body: body as never }, options)
      : kind === 'video'
        ? await call('POST /v1/videos', { body: body as never }, options)
        : await call('POST /v1/images', { body: body as never }, options);
  // An incomplete response, or one that is not from the service, says nothing about the order.
  if (typeof created?.task_id !== 'string')
    throw new ApiError({ status: 0, code: 'unreadable', message: frameTexts.unreadable(201) });
  // Only a repeated order can find a task that was deleted meanwhile.
  if ('deleted_at' in created) {
    const message = `The order ${created.task_id} was placed and has been deleted since.`;
    throw new ApiError({ status: 410, code: 'deleted', message });
  }
  return remember(created);
}

/** @throws ApiError */
export async function cancelTask(taskId: string): Promise<Task> {
  const path = { task_id: taskId };
  const task =
    typeOfTask(taskId) === 'video'
      ? await call('POST /v1/videos/{task_id}/cancel', { path })
      : await call('POST /v1/images/{task_id}/cancel', { path });
  return remember(task);
}

function remember(task: Task): Task {
  rememberTask(task, orderingKey(sessionStore.get()));
  void refresh('GET /v1/images', 'GET /v1/videos', 'GET /v1/account');
  return task;
}
