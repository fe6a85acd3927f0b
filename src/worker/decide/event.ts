import type { Checked, EngineError, TaskFailure } from '@darkroom-service/engines';
import type { CollectEvent } from '../collect/collected.ts';
import type { UpstreamJob } from '../spool/answer.ts';

/** The properties of a failed engine call that decisions depend on. */
export type Fault = Pick<EngineError, 'class' | 'took' | 'message' | 'retryAfterMs' | 'scope' | 'elsewhere'> &
  Partial<Pick<EngineError, 'answered'>>;

/** The result of preparing an order: it is ready, or it must fail. */
type Preparation = { readonly ready: true } | { readonly ready: false; readonly failure: TaskFailure };

/** An event of a claimed task. Each action except the last returns the next event. */
export type TaskEvent =
  /** The worker has claimed the task, or has taken it back, and knows nothing else. */
  | { readonly type: 'claimed' }
  /** The media are measured and interceptors have answered. */
  | { readonly type: 'prepared'; readonly preparation: Preparation }
  /** The engine is not configured here, or a valve lets no order through. */
  | { readonly type: 'submission_blocked' }
  /** The rule of the order excludes its route by now; `reason` says why, for the customer. */
  | { readonly type: 'route_excluded'; readonly reason: string }
  /** All slots of the engine or of the key are in use. */
  | { readonly type: 'no_slot' }
  /** `submitting` is written; the engine has not been called. */
  | { readonly type: 'slot_claimed' }
  /** The engine threw in `start`. `kept`: the host and the path at which its answer is kept for the operator. */
  | {
      readonly type: 'start_failed';
      readonly fault: Fault;
      readonly kept?: { readonly host: string; readonly kept_at: string };
    }
  /**
   * Lack of a resource of this machine that the call needs, such as disk space. The engine did not accept the order.
   */
  | { readonly type: 'machine_short' }
  /** An input file cannot be read now. Engines read files before they submit. */
  | { readonly type: 'file_unreadable' }
  /** An input file no longer exists. */
  | { readonly type: 'file_gone' }
  /** After a restart: neither an answer nor an operation was found, or another process has the answer. */
  | { readonly type: 'searched'; readonly found: 'nothing' | 'elsewhere' }
  /** The operation that the engine answered is stored; `checkAfterMs` is its wish. */
  | { readonly type: 'stored'; readonly checkAfterMs: number | null }
  /** The operation already belongs to another task; nothing was stored. */
  | { readonly type: 'same_job'; readonly job: UpstreamJob; readonly taskId: string }
  /**
   * The engine answered `check`. `isPutOff`: the engine was not called, since the upstream accepts no more checks for
   * now.
   */
  | { readonly type: 'checked'; readonly checked: Checked; readonly isPutOff?: true }
  /** The engine threw in `check`. */
  | { readonly type: 'check_failed'; readonly fault: Fault }
  | CollectEvent
  /** An action threw: the claim was lost, the service stops, or our own database or storage failed. */
  | {
      readonly type: 'broke_off';
      readonly cause: 'claim_lost' | 'interrupted' | 'storage' | 'other';
      /** The settlement at its deadline failed too. */
      readonly couldNotSettle: boolean;
    };

export type EventType = TaskEvent['type'];
export type EventOf<T extends EventType> = Extract<TaskEvent, { readonly type: T }>;
