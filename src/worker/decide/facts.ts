import type { Opened } from '../../routing/circuit.ts';
import type { TaskSettings } from '../../tasks/task-services.ts';
import type { LeaveRoute, NextRoute } from '../rerouting/next-route.ts';

/** Everything but the task and the event that a decision depends on, gathered before it. */
export interface Facts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A random number from 0 up to 1, which spreads pauses. */
  readonly chance: number;
  /** The engine of the task's route; null where it is not configured here. */
  readonly engine: { readonly isRepeatable: boolean } | null;
  /** The open circuits of that engine and of its upstream model; null = closed. */
  readonly opened: { readonly engine: Opened | null; readonly route: Opened | null };
  /** The route that the order can go on to by the catalog in force; null where there is none. */
  readonly nextRoute: (leave: LeaveRoute) => NextRoute | null;
  /** Answers wait in memory for a database and a spool that take none, and no more may be added. */
  readonly isMemoryFull: boolean;
  /** This process has the answer of the task's engine, and it is not stored. */
  readonly hasAnswerInHand: boolean;
  /** The task was held by this process until this claim, and was certainly not handed over. */
  readonly wasNotSent: boolean;
  /** How long four in five tasks of the model take, in seconds; null = not known. */
  readonly typicalSeconds: number | null;
  readonly settings: Pick<TaskSettings, 'softDeadlineMs' | 'routePatienceMs' | 'upstreamWaitMs'>;
}
