import type { JsonValue } from '../../base/canonical-json.ts';
import type { Delivery } from '../../engines/engine.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { StoredOutput, TaskStep } from '../../tasks/task.ts';
import type { NextRoute } from '../rerouting/next-route.ts';
import type { UpstreamJob } from '../spool/answer.ts';
import type { EventType } from './event.ts';

/** Commit points of settlements; kills and tests name them. */
export type SettleName = 'settle_failed' | 'settle_canceled' | 'settle_timeout' | 'settle_unknown' | 'settle_succeeded';

/** What a worker does next with a task that it has claimed. */
export type Action =
  /** Measures the media and asks moderation. */
  | { readonly type: 'prepare' }
  /** Puts the task back until its references are fetched. */
  | { readonly type: 'send_back_to_fetch' }
  /** Asks the circuits, claims a place at the engine and writes `submitting`. */
  | { readonly type: 'claim_slot' }
  /** Calls `start`. */
  | { readonly type: 'call_engine' }
  /** Looks for an answer in the spool, then asks the engine, if it can look orders up. */
  | { readonly type: 'find_trace' }
  /** Writes that the order was certainly not handed over, or may be handed over again. */
  | { readonly type: 'take_back'; readonly then: 'claimed' | 'restarted' }
  /** Stores the answer in hand; with `retries` until it is stored or the deadline has come. */
  | { readonly type: 'save_answer'; readonly checkAfterMs: number; readonly retries: boolean }
  /** Stores the operation. With a pause it also lets the task go. */
  | {
      readonly type: 'store_operation';
      readonly operation: JsonValue;
      readonly job: UpstreamJob | null;
      readonly checkAfterMs: number;
    }
  /** Calls `check`. */
  | { readonly type: 'check' }
  /** Collects and settles a result that the engine can be asked for again. */
  | { readonly type: 'deliver'; readonly delivery: Delivery }
  /** Copies the outputs into our storage and asks moderation. */
  | { readonly type: 'collect'; readonly delivery: Delivery }
  /** Ends the task: state and money in one commit. */
  | {
      readonly type: 'settle';
      readonly name: SettleName;
      readonly ending: Ending;
      /** The outputs in our storage, to be removed unless the task succeeds; null where no result was delivered. */
      readonly outputs: readonly StoredOutput[] | null;
    }
  /** Lets the task go, to be offered to the engine again; `refused` notes since when the upstream refuses it. */
  | { readonly type: 'defer'; readonly afterMs: number; readonly attempts: number; readonly refused: boolean }
  /** Lets the task go in its step. */
  | {
      readonly type: 'let_go';
      readonly afterMs: number;
      readonly attempts: number;
      readonly progress: number | null;
      readonly estimatedEndAt: number | null;
    }
  /** Takes the task to another route and lets it go. */
  | { readonly type: 'take_next_route'; readonly next: NextRoute }
  /** Puts the task back into the queue of its engine. */
  | { readonly type: 'back_to_queue' }
  /** Puts the task aside without a slot of its key. */
  | { readonly type: 'park'; readonly afterMs: number }
  /** Asks the engine for the result of a task that has ended. */
  | { readonly type: 'check_late' }
  | { readonly type: 'report_late'; readonly message: string }
  | { readonly type: 'check_late_again'; readonly afterMs: number }
  | { readonly type: 'expect_nothing' }
  /** Throws what the last action met: whoever called tries again. */
  | { readonly type: 'break_off' }
  /** Does nothing more: the task was let go, settled, lost, or stays claimed for the recovery of answers. */
  | { readonly type: 'stop' };

export type ActionType = Action['type'];
export type ActionOf<T extends ActionType> = Extract<Action, { readonly type: T }>;

/** `same` = the step does not change. */
type LeadsTo = TaskStep | 'same';

/** What an action comes to: the events that it gives back, each with the step then; and the steps in which it leaves the task for good. */
export interface Results {
  readonly events?: Readonly<Partial<Record<EventType, LeadsTo>>>;
  readonly leaves?: readonly LeadsTo[];
}

export const RESULTS: Readonly<Record<ActionType, Results>> = {
  prepare: { events: { prepared: 'same' } },
  send_back_to_fetch: { leaves: ['waiting'] },
  claim_slot: { events: { slot_claimed: 'submitting', no_slot: 'same', held_back: 'same' } },
  call_engine: {
    events: {
      answered: 'same',
      start_failed: 'same',
      machine_short: 'same',
      file_unreadable: 'same',
      file_gone: 'same',
    },
  },
  find_trace: { events: { answered: 'same', searched: 'same' } },
  take_back: { events: { claimed: 'deferred', restarted: 'deferred' } },
  save_answer: { events: { operation_in_hand: 'same', delivered: 'same' } },
  store_operation: { events: { stored: 'running', twin: 'same' } },
  check: { events: { checked: 'same', check_failed: 'same', file_gone: 'same' } },
  deliver: { events: { delivered: 'same' } },
  collect: { events: { collected: 'collecting', collect_failed: 'collecting' } },
  settle: { leaves: ['final'] },
  defer: { leaves: ['deferred'] },
  let_go: { leaves: ['same'] },
  take_next_route: { leaves: ['waiting', 'deferred'] },
  back_to_queue: { leaves: ['waiting'] },
  park: { leaves: ['waiting'] },
  check_late: { events: { checked: 'same', check_failed: 'same', broke_off: 'same' } },
  report_late: { leaves: ['same'] },
  check_late_again: { leaves: ['same'] },
  expect_nothing: { leaves: ['same'] },
  break_off: { leaves: ['same'] },
  stop: { leaves: ['same'] },
};
