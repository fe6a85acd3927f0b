import type { TaskView as Task } from '@darkroom-service/contract';
import { frameTexts } from '../texts/frame.ts';
import { orderTexts } from '../texts/orders.ts';
import { ApiError } from './api-error.ts';
import type { Batch, Order, TaskOrder } from './booked-order.ts';
import { callDeed } from './client.ts';
import { perform } from './deeds.ts';
import type { Values } from './model.ts';
import { newIdempotencyKey } from './order-book.ts';
import { orderingKey, sessionStore } from './session.ts';
import { onTask, rememberTask } from './task-cache.ts';
import { announcePlacedTasks } from './task-lists.ts';

/** Name of a field that no order accepts: the service refuses the body, unless it knows the Idempotency-Key. */
const REFUSED_FIELD = 'console_lookup';

export function newOrder(kind: TaskOrder['kind'], body: Values): TaskOrder {
  return { kind, body, idempotencyKey: newIdempotencyKey() };
}

/** Sends an order with one key of the session, and caches its task. @throws ApiError */
export async function placeTask(order: Order, secret: string, signal?: AbortSignal): Promise<Task> {
  const created = await post(order, secret, signal);
  // An incomplete response, or one that is not from the service, tells nothing about the order.
  if (typeof created?.task_id !== 'string') throw unreadable();
  // Only a repeated order can find a task that was deleted meanwhile.
  if ('deleted_at' in created) {
    const message = `The order ${created.task_id} was placed and has been deleted since.`;
    throw new ApiError({ status: 410, code: 'deleted', message });
  }
  return remember(created, secret);
}

/** Sends a batch with one key of the session. @throws ApiError */
export async function placeBatch(order: Order, secret: string, signal?: AbortSignal): Promise<Batch> {
  const created = await postBatch(order, secret, signal);
  if (typeof created?.batch_id !== 'string') throw unreadable();
  announcePlacedTasks();
  return created;
}

/**
 * Asks whether an order has arrived, without ordering: sends its Idempotency-Key with a body that is refused. A known
 * key is answered as reused, whatever the body.
 * @throws ApiError if the answer does not tell
 */
export async function hasArrived(order: Order, secret: string, signal?: AbortSignal): Promise<boolean> {
  try {
    if (order.kind === 'batch')
      await postBatch({ ...order, body: { orders: [], [REFUSED_FIELD]: true } }, secret, signal);
    else {
      const body = { model_id: order.body.model_id ?? '', [REFUSED_FIELD]: true } as Values;
      await post({ ...order, body }, secret, signal);
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'idempotency_key_reused') return true;
    if (error instanceof ApiError && (error.status === 400 || error.status === 404 || error.status === 422))
      return false;
    throw error;
  }
  throw unreadable();
}

/** @throws ApiError */
export async function cancelTask(
  taskId: string,
  secret: string | null = orderingKey(sessionStore.get()),
): Promise<Task> {
  const path = { task_id: taskId };
  const deed = onTask('POST /v1/images/{task_id}/cancel', taskId);
  const task = await perform(deed, { path }, orderTexts.cancelOf(taskId), secret === null ? {} : { key: secret });
  return remember(task, secret);
}

async function post(order: Order, secret: string, signal: AbortSignal | undefined) {
  const { kind, body } = order;
  const options = optionsOf(order, secret, signal);
  const { data } =
    kind === 'action'
      ? await callDeed('POST /v1/images/actions', { body: body as never }, options)
      : kind === 'video'
        ? await callDeed('POST /v1/videos', { body: body as never }, options)
        : await callDeed('POST /v1/images', { body: body as never }, options);
  return data;
}

async function postBatch(order: Order, secret: string, signal: AbortSignal | undefined) {
  return (await callDeed('POST /v1/batches', { body: order.body as never }, optionsOf(order, secret, signal))).data;
}

function optionsOf({ idempotencyKey }: Order, key: string, signal: AbortSignal | undefined) {
  return { headers: { 'idempotency-key': idempotencyKey }, key, signal };
}

function remember(task: Task, secret: string | null): Task {
  rememberTask(task, secret);
  announcePlacedTasks();
  return task;
}

function unreadable(): ApiError {
  return new ApiError({ status: 0, code: 'unreadable', message: frameTexts.unreadable(201) });
}
