import { ERROR_TABLE } from './error-table.ts';

export type ErrorCode = keyof typeof ERROR_TABLE;

/**
 * Fault of a request. `param` is the field as the caller wrote it, such as `inputs[0].url`; null when the fault
 * concerns no single field.
 */
export interface Fault {
  readonly param: string | null;
  readonly code: ErrorCode;
  readonly message: string;
  /** The name that was most likely meant, if a name is unknown. */
  readonly suggestion?: string;
}

interface ServiceErrorOptions {
  /** `false` if waiting does not help in this case, although the code is retryable in general. */
  readonly retryable?: false;
  readonly param?: string | null;
  /** The name that was most likely meant, if a name is unknown. */
  readonly suggestion?: string | null;
  /** Faults of a body, or facts such as the amount needed and the amount available. */
  readonly details?: readonly object[];
  /** Seconds to wait before a retry, sent as the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the operation may have taken effect: repeating it may do it twice. */
  readonly outcomeUnknown?: boolean;
  readonly cause?: unknown;
}

/** An error that is shown to the caller. Any other error becomes `internal_error`, and its text is only logged. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly param: string | null;
  readonly suggestion: string | null;
  readonly details: readonly object[];
  readonly retryAfterSeconds: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly outcomeUnknown: boolean;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERROR_TABLE[code].status;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.retryable = ERROR_TABLE[code].retryable && !this.outcomeUnknown && options.retryable !== false;
    this.param = options.param ?? null;
    this.suggestion = options.suggestion ?? null;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.headers = options.headers ?? {};
  }
}

/**
 * Combines all faults of a request in one error: the first one sets code and message, and `details` lists all of them.
 */
export function errorFromFaults(faults: readonly Fault[]): ServiceError {
  // Retryable faults come last, since waiting does not cure the others.
  const details = [...faults].sort((a, b) => Number(mayPass(a)) - Number(mayPass(b)));
  const first = details[0];
  if (first === undefined) throw new TypeError('errorFromFaults needs at least one fault');
  const { code, message, param } = first;
  return new ServiceError(code, message, { param, details, ...(mayPass(first) ? { retryAfterSeconds: 2 } : {}) });
}

function mayPass({ code }: Fault): boolean {
  return ERROR_TABLE[code].retryable;
}

/**
 * Returns an error's reason for operators: the message and the code of its first cause, not the sentence for the
 * customer. Never shown to customers.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join('; ');
  const code = 'code' in error && !(error instanceof ServiceError) ? String(error.code) : '';
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
