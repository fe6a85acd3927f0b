import type { TaskRow } from '../../tasks/task.ts';
import type { Action } from './action.ts';
import { decide } from './decide.ts';
import type { EventType, TaskEvent } from './event.ts';
import type { Facts } from './facts.ts';

/** A claimed task with the functions that act on it. */
export interface TaskLife {
  /** The row after the last write. */
  readonly task: TaskRow;
  gatherFacts(event: TaskEvent): Promise<Facts>;
  /** Runs an action. @returns the resulting event; null if nothing is left to decide */
  apply(action: Action, event: TaskEvent): Promise<TaskEvent | null>;
}

/**
 * Takes a task from event to event, until nothing is left to decide or the event `until` occurs.
 * @throws the error of an action; the task is then as its last write left it
 */
export async function followTask(life: TaskLife, first: TaskEvent, until?: EventType): Promise<TaskEvent | null> {
  let event: TaskEvent | null = first;
  while (event !== null && event.type !== until) {
    const facts = await life.gatherFacts(event);
    event = await life.apply(decide(life.task, event, facts), event);
  }
  return event;
}
