import type { TaskRow, TaskStep } from '../../tasks/task.ts';
import type { ActionOf, ActionType } from './action.ts';
import type { EventOf, EventType } from './event.ts';
import type { Facts } from './facts.ts';

interface SituationAt<Event> {
  readonly task: TaskRow;
  readonly event: Event;
  readonly facts: Facts;
}

/** What a decision is about. */
export type Situation<E extends EventType = EventType> = SituationAt<EventOf<E>>;

type Details<A extends ActionType> = Omit<ActionOf<A>, 'type'>;

/** What a row does. `how` fills in the details of its action. */
type Deed<E extends EventType, A extends ActionType, None> = A extends ActionType
  ? { readonly does: A } & (keyof Details<A> extends never
      ? { readonly how?: never }
      : { readonly how: (situation: Situation<E>) => Details<A> | None })
  : never;

/** A row of the table. It matches where `if` holds (or is left out) and `how` finds details. */
export type Row<E extends EventType> = {
  /** The condition in words, for the drawing. */
  readonly when: string;
  readonly if?: (situation: Situation<E>) => boolean;
} & Deed<E, ActionType, null>;

/** The last row of a cell: it always matches. */
export type LastRow<E extends EventType> = { readonly when: string; readonly if?: never } & Deed<E, ActionType, never>;

/** The first matching row wins; the last one matches whatever the case. */
export type Rows<E extends EventType> = readonly [...Row<E>[], LastRow<E>];

/** What is done about one kind of event in each step. */
export type EventRows<E extends EventType> = Readonly<Record<TaskStep, Rows<E> | 'impossible'>>;

/** Most events can occur in one step only. */
export const IMPOSSIBLE = {
  waiting: 'impossible',
  preparing: 'impossible',
  submitting: 'impossible',
  deferred: 'impossible',
  running: 'impossible',
  collecting: 'impossible',
  final: 'impossible',
} as const satisfies Record<TaskStep, 'impossible'>;
