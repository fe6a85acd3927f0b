/** The code of the console's own error after a lost answer. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

/**
 * An error of the service, or `unreachable` if it does not answer. `message` says what to do and may be shown directly.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly details: readonly Fault[];
  readonly retryable: boolean;
  readonly requestId: string | null;

  constructor(facts: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly param?: string | null;
    readonly details?: readonly Fault[];
    readonly retryable?: boolean;
    readonly requestId?: string | null;
  }) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param ?? null;
    this.details = facts.details ?? [];
    this.retryable = facts.retryable ?? false;
    this.requestId = facts.requestId ?? null;
  }
}

/** The error of one field. */
export interface Fault {
  readonly param: string | null;
  readonly code: string;
  readonly message: string;
}

/** Returns the text to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells whether the service may have done what was asked, because its answer was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === OUTCOME_UNKNOWN;
}

/** Says that something failed, unless that is not known. */
export function faultText(title: string, error: unknown): string {
  return isOutcomeUnknown(error) ? messageOf(error) : `${title}: ${messageOf(error)}`;
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreachable';
}
