import type { TaskRow } from '../../tasks/task.ts';
import type { Action } from './action.ts';
import { decide } from './decide.ts';
import type { EventType, TaskEvent } from './event.ts';
import type { Facts } from './facts.ts';

/** A claimed task and the hands that work on it. */
export interface TaskLife {
  /** As the last write left it. */
  readonly task: TaskRow;
  gatherFacts(event: TaskEvent): Promise<Facts>;
  /** Does what was decided. @returns what happened by it; null where nothing is left to decide. */
  apply(action: Action, event: TaskEvent): Promise<TaskEvent | null>;
}

/**
 * Takes a task from one event to the next, until nothing is left to decide or an event comes that the caller wants.
 * @throws what an action throws: then its task stands as its last write left it.
 */
export async function followTask(life: TaskLife, first: TaskEvent, until?: EventType): Promise<TaskEvent | null> {
  let event: TaskEvent | null = first;
  while (event !== null && event.type !== until) {
    const facts = await life.gatherFacts(event);
    event = await life.apply(decide(life.task, event, facts), event);
  }
  return event;
}
