import type { TaskRow } from './task.ts';

/** An order of a batch whose task is not stored yet: the known columns of its future task. */
export type PlannedTask = Pick<
  TaskRow,
  | 'id'
  | 'type'
  | 'status'
  | 'model_id'
  | 'outputs_json'
  | 'input_json'
  | 'request_json'
  | 'route_json'
  | 'end_user'
  | 'erased_at'
>;

/** The earlier orders of the same batch, which an order may use by their names (`order:hero`) and then waits for. */
export interface BatchSiblings {
  /** @returns the id of its future task, or the reason why the name cannot be used */
  named(name: string): { readonly taskId: string } | string;
  planned(taskId: string): PlannedTask | undefined;
}

/**
 * Whether an order waits for unfinished tasks that it refers to, and which tasks it may refer to besides those that are
 * stored.
 */
export interface WaitPolicy {
  readonly waits: boolean;
  readonly earlier?: BatchSiblings | undefined;
}

/** Returns the name in `order:<name>`; null for anything else. */
export function orderNameIn(source: string): string | null {
  return source.startsWith('order:') ? source.slice('order:'.length) : null;
}

/** Returns the id of the future task of `order:<name>`, or the reason why there is none. */
export function findByName(earlier: BatchSiblings | undefined, name: string): { readonly taskId: string } | string {
  return earlier?.named(name) ?? 'it names an order of the same batch; outside of batches use task:<task_id>';
}
