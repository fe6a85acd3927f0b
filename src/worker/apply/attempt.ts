import type { Order } from '../../engines/engine.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { EventType, TaskEvent } from '../decide/event.ts';
import { orderOf } from '../task-order.ts';
import type { Held, WorkerServices } from '../worker-services.ts';

/** A claimed task that this process works on. */
export interface Attempt {
  readonly work: WorkerServices;
  readonly held: Held;
  /** The row after the last write. */
  task: TaskRow;
  /** The order as the engine gets it; null until it is read. */
  order: Order | null;
  /** The error of the last action, for the log and for retries. */
  fault: unknown;
  /** Continues from an event within an action. @returns the event `until`, or null if it ends before. */
  follow(event: TaskEvent, until?: EventType): Promise<TaskEvent | null>;
}

/** Returns the order of an attempt. Reads it only once. */
export async function readOrder(attempt: Attempt): Promise<Order> {
  attempt.order ??= await orderOf(attempt.work.services, attempt.task);
  return attempt.order;
}
