import type { Order } from '../../engines/engine.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { EventType, TaskEvent } from '../decide/event.ts';
import { orderOf } from '../task-order.ts';
import type { Held, WorkerServices } from '../worker-services.ts';

/** A claimed task that this process works on. */
export interface Attempt {
  readonly work: WorkerServices;
  readonly held: Held;
  /** As the last write left it. */
  task: TaskRow;
  /** What the engine is told of the task; null until it is read. */
  order: Order | null;
  /** What the last action met, for the log and for whoever tries again. */
  fault: unknown;
  /** Goes on from an event within an action. @returns the event `until`, or null at the end. */
  follow(event: TaskEvent, until?: EventType): Promise<TaskEvent | null>;
}

/** The order of an attempt, read once. */
export async function readOrder(attempt: Attempt): Promise<Order> {
  attempt.order ??= await orderOf(attempt.work.services, attempt.task);
  return attempt.order;
}
