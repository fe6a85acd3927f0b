import { DarkroomError } from './errors.ts';
import type { DeletedTask, Task } from './generated/interface.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import { type TaskCalls, TaskHandle } from './task-handle.ts';
import type { Transport } from './transport.ts';

/** Options that every order accepts. */
export type OrderOptions = ChangeOptions;

/** Orders once, however often the request has to be repeated. @throws DarkroomError with the Idempotency-Key */
export async function placeOrder(
  transport: Transport,
  calls: TaskCalls,
  path: string,
  body: object,
  options: OrderOptions,
): Promise<TaskHandle> {
  const call = repeatableCall(options);
  const { data, headers } = await transport.send<Task | DeletedTask>({ ...call, path, json: body, orders: true });
  const idempotencyKey = call.headers['idempotency-key'];
  if ('deleted_at' in data) {
    const message = `${data.task_id} was ordered with this idempotencyKey before, and deleted at ${data.deleted_at}. Use a new key for a new order.`;
    throw new DarkroomError('deleted', message, { idempotencyKey, taskId: data.task_id });
  }
  return new TaskHandle(calls, data, { idempotencyKey, replayed: headers.get('idempotent-replayed') === 'true' });
}
