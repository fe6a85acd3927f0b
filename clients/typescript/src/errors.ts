import type { Batch, Cost, ErrorBody, Task, TaskError } from './generated/interface.ts';

/** The codes of refusals that this version knows. The service may add codes. */
export type ApiErrorCode = ErrorBody['error']['code'];
export type TaskErrorCode = TaskError['code'];
/** The codes of failures that no response of the service names. */
export type ClientErrorCode =
  | 'connection_error'
  | 'aborted'
  | 'wait_timeout'
  | 'canceled'
  | 'deleted'
  | 'download_failed'
  | 'unexpected_response'
  | 'invalid_signature';
export type ErrorCode = ApiErrorCode | TaskErrorCode | ClientErrorCode;

/** The known facts of an order whose call failed. */
export interface OrderFacts {
  readonly idempotencyKey?: string | null | undefined;
  readonly taskId?: string | null | undefined;
  readonly task?: Task | null | undefined;
  readonly batchId?: string | null | undefined;
  readonly batch?: Batch | null | undefined;
  /** Whether the service accepted the order. Without a value: yes if there is a task or batch id, otherwise no. */
  readonly ordered?: 'yes' | 'no' | 'unknown' | undefined;
  /** The status of the response that is the reason; null if there was none. */
  readonly status?: number | null | undefined;
}

/** The same in every copy of the client. */
const BRAND = Symbol.for('@darkroom/client.error');

/** Every error that the client throws for a reason outside the program. `message` says what to do. */
export class DarkroomError extends Error {
  // Written out in each class: a minifier renames classes, and error trackers group by this name.
  override readonly name: string = 'DarkroomError';
  readonly code: ErrorCode | (string & {});
  /**
   * The key of the order. Send the same order with it again: it is never ordered twice. Null if the call ordered
   * nothing.
   */
  readonly idempotencyKey: string | null;
  /** The task of the order, if one is known. Null does not mean that there is none: see `ordered`. */
  readonly taskId: string | null;
  /** The latest known state of the task. */
  readonly task: Task | null;
  /** The batch, if one is known. */
  readonly batchId: string | null;
  /** The latest known state of the batch. */
  readonly batch: Batch | null;
  /** `unknown` after a lost answer: the same call with `idempotencyKey` finds what was ordered, or orders once. */
  readonly ordered: 'yes' | 'no' | 'unknown';
  /** The HTTP status of the response that is the reason; null if there was none. */
  readonly status: number | null;

  constructor(code: ErrorCode | (string & {}), message: string, facts: OrderFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.idempotencyKey = facts.idempotencyKey ?? null;
    this.task = facts.task ?? null;
    this.taskId = facts.taskId ?? facts.task?.task_id ?? null;
    this.batch = facts.batch ?? null;
    this.batchId = facts.batchId ?? facts.batch?.batch_id ?? null;
    this.status = facts.status ?? null;
    this.ordered = facts.ordered ?? (this.taskId === null && this.batchId === null ? 'no' : 'yes');
  }

  get [BRAND](): true {
    return true;
  }

  /**
   * The cost of the task, as far as it is known: `state` says whether the amount is held, was charged or was released.
   */
  get cost(): Cost | null {
    return this.task?.cost ?? null;
  }
}

/** A refusal by the service. */
export class ApiError extends DarkroomError {
  override readonly name = 'ApiError';
  declare readonly status: number;
  /** The field, query parameter or header that was wrong. */
  readonly param: string | null;
  /** Every fault of the request, or facts such as the price and the balance. */
  readonly details: readonly { readonly [name: string]: unknown }[];
  /** Whether an equal request may succeed later. The client has already retried it. */
  readonly retryable: boolean;
  /** The id of the request, for the operator. */
  readonly requestId: string | null;
  readonly docsUrl: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(error: ErrorBody['error'], facts: OrderFacts = {}, retryAfterSeconds: number | null = null) {
    super(error.code, error.message, { ...facts, status: error.status });
    this.param = error.param;
    this.details = error.details;
    this.retryable = error.retryable;
    this.requestId = error.request_id;
    this.docsUrl = error.docs_url ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer, or only a part of one, after all retries. */
export class ConnectionError extends DarkroomError {
  override readonly name = 'ConnectionError';
}

/** The caller's signal ended the call. A task or batch continues; see `taskId` and `batchId`. */
export class AbortError extends DarkroomError {
  override readonly name = 'AbortError';
}

/** The time to wait is over. The task or batch continues; see `taskId` and `batchId`. */
export class WaitTimeoutError extends DarkroomError {
  override readonly name = 'WaitTimeoutError';
}

/** The task failed. Nothing was charged. */
export class TaskFailedError extends DarkroomError {
  override readonly name = 'TaskFailedError';
  /** `new_order`: the same request may succeed as a new order. `never`: change the request first. */
  readonly retry: 'never' | 'new_order';

  constructor(task: Task, error: TaskError, facts: OrderFacts) {
    super(error.code, `${task.task_id} failed: ${error.message.replace(/\.$/, '')}. Nothing was charged.`, {
      ...facts,
      task,
    });
    this.retry = error.retry;
  }
}

/** The task was canceled. Nothing was charged. */
export class TaskCanceledError extends DarkroomError {
  override readonly name = 'TaskCanceledError';
}

/** The output of a task could not be downloaded or saved. The task is done; do not order it again. */
export class DownloadError extends DarkroomError {
  override readonly name = 'DownloadError';
}

/** A webhook that the service did not send, or sent too long ago. */
export class WebhookError extends DarkroomError {
  override readonly name = 'WebhookError';
}

/**
 * Whether something thrown is an error of this client, with one of these codes if any are given. It also knows the
 * errors of another copy of the client, such as the one inside `@darkroom/ai-sdk-provider`.
 */
export function isDarkroomError(error: unknown, ...codes: ErrorCode[]): error is DarkroomError {
  if (!(error instanceof Error && BRAND in error)) return false;
  const { code } = error as DarkroomError;
  return codes.length === 0 || codes.some((one) => one === code);
}
