import type { JsonValue, TaskView as Task } from '@darkroom-service/contract';
import type { TaskOrder } from './booked-order.ts';
import { useTask } from './follow-task.ts';
import { type Values, withoutEmpty } from './model.ts';
import { createStore } from './store.ts';
import { useApi } from './use-api.ts';

/** A value of an earlier order, such as only its seed, that the form takes over when it is opened. */
export const recalledStore = createStore<{ readonly name: string; readonly value: JsonValue } | null>(null);

interface Options {
  readonly anotherSeed?: boolean;
}

/** The request that repeats the order of a task. */
type RepeatedOrder = Pick<TaskOrder, 'kind' | 'body'>;

/**
 * Returns the repeated order of a task like `orderAgain`. The input of an action includes fields of its parent, such as
 * the prompt: only fields that the action accepts, according to the parent, stay. Null until the parent is loaded.
 */
function useOrderAgain(task: Task, options: Options = {}): RepeatedOrder | null {
  const { data: parent, isLoading } = useTask(task.action === null ? null : task.parent_task_id);
  if (isLoading) return null;
  const accepted = parent?.available_actions.find(({ action }) => action === task.action)?.parameters;
  const { kind, body } = orderAgain(task, options);
  if (accepted === undefined) return { kind, body };
  const named = ['model_id', 'parent_task_id', 'action', ...Object.keys(accepted)];
  const dropped = Object.keys(task.input).filter((name) => !named.includes(name));
  return { kind, body: Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name))) };
}

/** Returns the repeated order of a task, and its present price. */
export function usePricedAgain(task: Task, options: Options = {}) {
  const order = useOrderAgain(task, options);
  const request = order === null ? null : { body: order.body as never };
  const { data, error } = useApi('POST /v1/prices', request, { staleTime: 60_000 });
  return { order, quote: data, error };
}

/**
 * Returns the order of a task for placing it again, with the same customer and metadata. The model chooses the fields
 * without a value, and with `anotherSeed` also the seed.
 */
export function orderAgain(task: Task, options: Options = {}): RepeatedOrder {
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
