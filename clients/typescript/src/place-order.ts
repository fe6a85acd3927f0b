import { DarkroomError } from './errors.ts';
import type { DeletedTask, Task } from './generated/interface.ts';
import { type TaskCalls, TaskHandle } from './task-handle.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface OrderOptions extends CallOptions {
  /** By default a new key per call. Store your own key before the call to repeat the order after a crash. */
  readonly idempotencyKey?: string | undefined;
}

/** Orders once, however often the request has to be repeated. @throws DarkroomError with the Idempotency-Key */
export async function placeOrder(
  transport: Transport,
  calls: TaskCalls,
  path: string,
  body: object,
  options: OrderOptions,
): Promise<TaskHandle> {
  const { idempotencyKey = newIdempotencyKey(), ...rest } = options;
  const { data, headers } = await transport.send<Task | DeletedTask>({
    ...rest,
    method: 'POST',
    path,
    json: body,
    headers: { 'idempotency-key': idempotencyKey },
    facts: { idempotencyKey },
    orders: true,
  });
  if ('deleted_at' in data) {
    const message = `${data.task_id} was ordered with this idempotencyKey before, and deleted at ${data.deleted_at}. Use a new key for a new order.`;
    throw new DarkroomError('deleted', message, { idempotencyKey, taskId: data.task_id });
  }
  return new TaskHandle(calls, data, { idempotencyKey, replayed: headers.get('idempotent-replayed') === 'true' });
}

/** Makes a key of 128 random bits. Not randomUUID(), which browsers offer to secure origins only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dkc_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
