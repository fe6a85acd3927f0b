import { type JsonValue, withoutEmpty } from './model.ts';
import type { Order } from './orders.ts';
import type { Task } from './types.ts';

/**
 * The order that a task was, to be placed anew for the same customer and with the same notes. What has no value is left to the model;
 * with another seed, so is that.
 */
export function orderAgain(task: Task, options: { readonly anotherSeed?: boolean } = {}): Pick<Order, 'kind' | 'body'> {
  const { num_images: _count, ...input } = task.input as Record<string, JsonValue>;
  const body = {
    ...withoutEmpty(options.anotherSeed === true ? { ...input, seed: null } : input),
    model_id: task.model_id,
    ...(task.end_user === null ? {} : { end_user: task.end_user }),
    ...(Object.keys(task.metadata).length === 0 ? {} : { metadata: task.metadata }),
  };
  if (task.action === null) return { kind: task.type, body };
  return { kind: 'action', body: { ...body, parent_task_id: task.parent_task_id, action: task.action } };
}
