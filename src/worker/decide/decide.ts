import type { TaskStep } from '../../record/task.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { type Action, RESULTS } from './action.ts';
import { BROKE_OFF } from './broke-off.ts';
import { CHECK_FAILED, CHECKED } from './checks.ts';
import { COLLECT_FAILED, COLLECTED, SAME_JOB, STORED } from './delivery.ts';
import type { EventType, TaskEvent } from './event.ts';
import type { Facts } from './facts.ts';
import { CLAIMED_DEFERRED, CLAIMED_PREPARING, CLAIMED_WAITING, NO_SLOT, PREPARED, SLOT_CLAIMED } from './hand-over.ts';
import { CLAIMED_FINAL } from './late-results.ts';
import { ROUTE_EXCLUDED, SUBMISSION_BLOCKED } from './outage.ts';
import { CLAIMED_WITHOUT_TRACE, SEARCHED } from './restart.ts';
import type { EventRows, LastRow, Row, Situation } from './row.ts';
import { FILE_GONE, FILE_UNREADABLE, MACHINE_SHORT, START_FAILED } from './start-answers.ts';

/** The decision table: the action for each event in each step. The first matching row wins. */
export const TABLE: { readonly [E in EventType]: EventRows<E> } = {
  claimed: {
    waiting: CLAIMED_WAITING,
    preparing: CLAIMED_PREPARING,
    submitting: CLAIMED_WITHOUT_TRACE,
    deferred: CLAIMED_DEFERRED,
    running: [{ when: 'always', does: 'check' }],
    final: CLAIMED_FINAL,
  },
  prepared: PREPARED,
  submission_blocked: SUBMISSION_BLOCKED,
  route_excluded: ROUTE_EXCLUDED,
  no_slot: NO_SLOT,
  slot_claimed: SLOT_CLAIMED,
  start_failed: START_FAILED,
  machine_short: MACHINE_SHORT,
  file_unreadable: FILE_UNREADABLE,
  file_gone: FILE_GONE,
  searched: SEARCHED,
  stored: STORED,
  same_job: SAME_JOB,
  checked: CHECKED,
  check_failed: CHECK_FAILED,
  collected: COLLECTED,
  collect_failed: COLLECT_FAILED,
  broke_off: BROKE_OFF,
};

/**
 * Decides the next action for a claimed task. Pure: it reads only its arguments.
 * @throws Error if the event cannot occur in the task's step
 */
export function decide(task: TaskRecord, event: TaskEvent, facts: Facts): Action {
  const situation: Situation = { task, event, facts };
  for (const row of rowsOf(task.step, event.type)) {
    if (row.if !== undefined && !row.if(situation)) continue;
    const details = row.how === undefined ? {} : row.how(situation);
    const step = row.to === undefined ? {} : { step: row.to };
    if (details !== null) return { type: row.does, ...step, ...details } as Action;
  }
  throw new Error(`the event ${event.type} cannot occur to a task that is ${task.step}`);
}

/** Returns the rows of one cell of the table; none if the event cannot occur in that step. */
export function rowsOf(step: TaskStep, event: EventType): readonly (Row<EventType> | LastRow<EventType>)[] {
  const rows = TABLE[event][step];
  return rows === 'impossible' ? [] : (rows as readonly (Row<EventType> | LastRow<EventType>)[]);
}

/** Returns the steps in which a row leaves a task of a step, or its events find it; `same` = as it was. */
export function stepsAfter(
  from: TaskStep,
  { does, to }: Row<EventType> | LastRow<EventType>,
): readonly (TaskStep | 'same')[] {
  if (to !== undefined) return [to];
  // An order that was never submitted goes back into the queue; another one is deferred.
  if (does === 'reroute') return [from === 'waiting' || from === 'preparing' ? 'waiting' : 'deferred'];
  const { events = {}, leaves = [] } = RESULTS[does];
  return [...Object.values(events), ...leaves];
}

/** A claimed task with the functions that act on it. */
export interface TaskLife {
  /** The row after the last write. */
  readonly task: TaskRecord;
  gatherFacts(event: TaskEvent): Facts | Promise<Facts>;
  /** Runs an action. @returns the resulting event; null if nothing is left to decide */
  apply(action: Action, event: TaskEvent): Promise<TaskEvent | null>;
}

/**
 * Takes a task from event to event, until nothing is left to decide.
 * @throws the error of an action; the task is then as its last write left it
 */
export async function followTask(life: TaskLife, first: TaskEvent): Promise<void> {
  let event: TaskEvent | null = first;
  while (event !== null) {
    const facts = await life.gatherFacts(event);
    event = await life.apply(decide(life.task, event, facts), event);
  }
}
