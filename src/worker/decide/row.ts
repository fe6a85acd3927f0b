import type { TaskStep } from '../../record/task.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { Release } from '../rerouting/release.ts';
import type { ActionOf, ActionType } from './action.ts';
import type { EventOf, EventType } from './event.ts';
import type { Facts } from './facts.ts';

interface SituationAt<Event> {
  readonly task: TaskRecord;
  readonly event: Event;
  readonly facts: Facts;
}

/** The input of a decision. */
export type Situation<E extends EventType = EventType> = SituationAt<EventOf<E>>;

type Details<A extends ActionType> = Omit<ActionOf<A>, 'type'>;

/** The step in which each release leaves a task, and how its details are filled in. */
type ReleaseOfRow<E extends EventType, None> = {
  [Step in Release['step']]: {
    readonly does: 'release';
    readonly to: Step;
    readonly how: (situation: Situation<E>) => Omit<Extract<Release, { readonly step: Step }>, 'step'> | None;
  };
}[Release['step']];

/** The action of a row. `how` fills in its details. */
type ActionOfRow<E extends EventType, A extends ActionType, None> = A extends 'release'
  ? ReleaseOfRow<E, None>
  : A extends ActionType
    ? { readonly does: A; readonly to?: never } & (keyof Details<A> extends never
        ? { readonly how?: never }
        : { readonly how: (situation: Situation<E>) => Details<A> | None })
    : never;

/** A row of the table. It matches if `if` holds (or is absent) and `how` does not return null. */
export type Row<E extends EventType> = {
  /** Condition in words, for the diagram. */
  readonly when: string;
  readonly if?: (situation: Situation<E>) => boolean;
} & ActionOfRow<E, ActionType, null>;

/** The last row of a cell, which always matches. */
export type LastRow<E extends EventType> = { readonly when: string; readonly if?: never } & ActionOfRow<
  E,
  ActionType,
  never
>;

/** The first matching row wins; the last one always matches. */
export type Rows<E extends EventType> = readonly [...Row<E>[], LastRow<E>];

/** The rows for one kind of event, by step. */
export type EventRows<E extends EventType> = Readonly<Record<TaskStep, Rows<E> | 'impossible'>>;

/** The cells of an event that can occur in only a few steps; a table overrides those. */
export const IMPOSSIBLE = {
  waiting: 'impossible',
  preparing: 'impossible',
  submitting: 'impossible',
  deferred: 'impossible',
  running: 'impossible',
  final: 'impossible',
} as const satisfies Record<TaskStep, 'impossible'>;
