import type { JsonValue, Values } from '../../api/model.ts';
import { withoutEmpty } from '../../api/model.ts';
import type { Order } from '../../api/orders.ts';
import type { Task } from '../../api/types.ts';

/** The order that a task was, to be placed anew; with another seed, the seed is left to the model. */
export function orderAgain(
  task: Task,
  options: { readonly anotherSeed?: boolean } = {},
): {
  readonly kind: Order['kind'];
  readonly body: Values;
} {
  const { num_images: _count, ...input } = task.input as Record<string, JsonValue>;
  const body = withoutEmpty(options.anotherSeed === true ? { ...input, seed: null } : input);
  if (task.action === null) return { kind: task.type, body };
  return { kind: 'action', body: { ...body, parent_task_id: task.parent_task_id, action: task.action } };
}
