import type { Delivery } from '@darkroom-service/engines';
import type { StoredOutput, TaskStep } from '../../record/task.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { NextRoute } from '../rerouting/next-route.ts';
import type { Release } from '../rerouting/release.ts';
import type { EventType } from './event.ts';

/** Names of the settlements' commits. Crash tests refer to them. */
type SettleName = 'settle_failed' | 'settle_canceled' | 'settle_timeout' | 'settle_unknown' | 'settle_succeeded';

/** The next action of a worker for a claimed task. */
export type Action =
  /** Measures the media and asks interceptors. */
  | { readonly type: 'prepare' }
  /** Checks the rule of the order and the valves, claims a slot of the engine and writes `submitting`. */
  | { readonly type: 'claim_slot' }
  /** Calls `start`, again if the engine makes that safe, and stores the answer: an operation, or a collected result. */
  | { readonly type: 'call_engine' }
  /** Searches for an answer in the spool, then at the engine, if it can look up orders, and stores it. */
  | { readonly type: 'find_trace' }
  /** Records that the order was certainly not submitted, or may be submitted again. */
  | { readonly type: 'take_back' }
  /** Calls `check`. */
  | { readonly type: 'check' }
  /** Copies the outputs of a result that the engine can return again into our storage, and asks interceptors. */
  | { readonly type: 'deliver'; readonly delivery: Delivery }
  /** Stores a delivered result in the row, as the operation that a check finds: its files are read later. */
  | { readonly type: 'store_delivery'; readonly delivery: Delivery }
  /** Ends the task: state and money in one commit. */
  | {
      readonly type: 'settle';
      readonly name: SettleName;
      readonly ending: Ending;
      /** The outputs in our storage, removed unless the task succeeds; null if no result was delivered. */
      readonly outputs: readonly StoredOutput[] | null;
    }
  /** Releases the claim. */
  | ({ readonly type: 'release' } & Release)
  /** Moves the task to another route and releases the claim. */
  | { readonly type: 'reroute'; readonly next: NextRoute }
  /** Keeps the lease until the next check, and stores progress and estimate if they are new. */
  | {
      readonly type: 'wait_for_check';
      readonly afterMs: number;
      readonly progress: number | null;
      readonly estimatedEndAt: number | null;
    }
  /** Checks for a late result of an ended task. */
  | { readonly type: 'check_late' }
  | { readonly type: 'report_late'; readonly message: string }
  | { readonly type: 'check_late_again'; readonly afterMs: number }
  | { readonly type: 'expect_nothing' }
  /** Throws the error that its event names; the caller retries. */
  | { readonly type: 'break_off' }
  /** Does nothing more: the task was released, settled or lost, or stays claimed for the recovery of answers. */
  | { readonly type: 'stop' };

export type ActionType = Action['type'];
export type ActionOf<T extends ActionType> = Extract<Action, { readonly type: T }>;

/** Step after an event; `same` = the step does not change. */
type LeadsTo = TaskStep | 'same';

/** The events that an action returns, each with the step afterwards, and the steps in which it leaves the task. */
interface Results {
  readonly events?: Readonly<Partial<Record<EventType, LeadsTo>>>;
  readonly leaves?: readonly LeadsTo[];
}

const COLLECTED = { collected: 'same', collect_failed: 'same' } as const;
const STORED_ANSWER = { stored: 'running', same_job: 'same', ...COLLECTED } as const;

export const RESULTS: Readonly<Record<ActionType, Results>> = {
  prepare: { events: { prepared: 'same' } },
  claim_slot: {
    events: { slot_claimed: 'submitting', no_slot: 'same', submission_blocked: 'same', route_excluded: 'same' },
  },
  call_engine: {
    events: {
      ...STORED_ANSWER,
      start_failed: 'same',
      machine_short: 'same',
      file_unreadable: 'same',
      file_gone: 'same',
    },
  },
  find_trace: { events: { ...STORED_ANSWER, searched: 'same' } },
  take_back: { events: { claimed: 'deferred' } },
  check: { events: { checked: 'same', check_failed: 'same', file_gone: 'same' } },
  deliver: { events: COLLECTED },
  store_delivery: { events: { collect_failed: 'running' } },
  settle: { leaves: ['final'] },
  // The step in its row.
  release: {},
  // The queue, if it was never submitted.
  reroute: {},
  wait_for_check: { leaves: ['same'] },
  check_late: { events: { checked: 'same', check_failed: 'same', broke_off: 'same' } },
  report_late: { leaves: ['same'] },
  check_late_again: { leaves: ['same'] },
  expect_nothing: { leaves: ['same'] },
  break_off: { leaves: ['same'] },
  stop: { leaves: ['same'] },
};
