import { type JsonValue, type Values, withoutEmpty } from './model.ts';
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
    ...markOf(task),
  };
  if (task.action === null) return { kind: task.type, body };
  return { kind: 'action', body: { ...body, parent_task_id: task.parent_task_id, action: task.action } };
}

/** Whose a task is and what was noted on it: what is made from it is for the same customer. */
export function markOf({ end_user: endUser, metadata }: Task): Values {
  return {
    ...(endUser === null ? {} : { end_user: endUser }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
