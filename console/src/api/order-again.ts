import type { TaskOrder } from './booked-order.ts';
import { type JsonValue, type Values, withoutEmpty } from './model.ts';
import type { Task } from './types.ts';

/**
 * Returns the order of a task for placing it again, with the same customer and metadata. Fields without a value are
 * left to the model; with another seed, so is the seed.
 */
export function orderAgain(
  task: Task,
  options: { readonly anotherSeed?: boolean } = {},
): Pick<TaskOrder, 'kind' | 'body'> {
  const { num_images: _count, ...input } = task.input as Record<string, JsonValue>;
  const body = {
    ...withoutEmpty(options.anotherSeed === true ? { ...input, seed: null } : input),
    model_id: task.model_id,
    ...markOf(task),
  };
  if (task.action === null) return { kind: task.type, body };
  return { kind: 'action', body: { ...body, parent_task_id: task.parent_task_id, action: task.action } };
}

/** Returns the customer and metadata of a task, which its follow-ups inherit. */
export function markOf({ end_user: endUser, metadata }: Task): Values {
  return {
    ...(endUser === null ? {} : { end_user: endUser }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
