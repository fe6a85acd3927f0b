import type { Idempotency } from '@darkroom-service/engines';
import type { Shut } from '../../routing/valve.ts';
import type { TaskSettings } from '../../tasks/task-services.ts';
import type { LeaveRoute, NextRoute } from '../rerouting/next-route.ts';

/** The facts of a decision besides the task and the event. */
export interface Facts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A random number from 0 up to 1, for jitter. */
  readonly chance: number;
  /** The engine of the task's route; null if it is not configured here. */
  readonly engine: {
    readonly isRepeatable: boolean;
    readonly isFree: boolean;
    readonly idempotency: Idempotency;
  } | null;
  /** Whether a cancel was requested, also since the task was read. */
  readonly isCancelWanted: boolean;
  /** Whether this claim submits the order again: an earlier submission may have been accepted. */
  readonly isResubmission: boolean;
  /** Whether this claim has sent the order to test a valve that was shut. */
  readonly isTest: boolean;
  /** Shut valves of that engine and of its upstream model; null = open. */
  readonly shut: { readonly engine: Shut | null; readonly route: Shut | null };
  /** Whether the rule of the order excludes its route by now. */
  readonly isExcluded: boolean;
  /** The next route of the order in the current catalog; null if there is none. */
  readonly nextRoute: (leave: LeaveRoute) => NextRoute | null;
  /** Whether nothing may be submitted: the service is suspended, or it is not known whether it is. */
  readonly isSuspended: boolean;
  /** Whether unsaved answers fill the memory, because neither database nor spool accepts them. */
  readonly isMemoryFull: boolean;
  /** Whether this process has an unsaved answer of the task's engine. */
  readonly hasAnswer: boolean;
  /** Whether this process had claimed the task until this claim and certainly did not submit it. */
  readonly wasNotSent: boolean;
  /** Whether the upstream will call when the order has ended: it was given a URL, and its callbacks arrive. */
  readonly awaitsCallback: boolean;
  /** The 80th percentile of the model's durations in seconds; null if unknown. */
  readonly typicalSeconds: number | null;
  readonly settings: Pick<TaskSettings, 'softDeadlineMs' | 'routePatienceMs' | 'upstreamWaitMs'>;
}
