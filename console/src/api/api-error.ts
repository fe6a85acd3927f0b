/** The code of the console's own error after a lost answer. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

/**
 * An error of the service, or `unreachable` if it does not answer. `message` says what to do and may be shown directly.
 */
export class ApiError extends Error {
  declare readonly status: number;
  declare readonly code: string;
  readonly param: string | null = null;
  readonly details: readonly Fault[] = [];
  readonly retryable: boolean = false;
  readonly requestId: string | null = null;

  constructor(facts: Pick<ApiError, 'status' | 'code' | 'message'> & Partial<ApiError>) {
    super(facts.message);
    Object.assign(this, facts, { name: 'ApiError' });
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

/** Tells whether the service may have carried out the request although its answer was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === OUTCOME_UNKNOWN;
}

/** Returns a message that something failed, or that its outcome is unknown. */
export function faultText(title: string, error: unknown): string {
  return isOutcomeUnknown(error) ? messageOf(error) : `${title}: ${messageOf(error)}`;
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreachable';
}
