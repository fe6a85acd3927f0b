/**
 * The one table of everything that can go wrong on the wire, and the error that carries a row of it.
 * `docs/errors.md` lists the same codes; a test holds the two together.
 */
export const ERROR_TABLE = {
  invalid_json: { status: 400, retryable: false, summary: 'The body is not JSON.' },
  invalid_request: { status: 400, retryable: false, summary: 'A field or query parameter is malformed.' },
  unsupported_field: { status: 400, retryable: false, summary: 'The model does not take this field.' },
  unsupported_value: {
    status: 400,
    retryable: false,
    summary: 'The model does not take this value, or not together with the others.',
  },
  missing_prompt: { status: 400, retryable: false, summary: 'The model needs a prompt.' },
  missing_reference: {
    status: 400,
    retryable: false,
    summary: 'The model needs a picture, film or sound to work from.',
  },
  prompt_too_long: { status: 400, retryable: false, summary: 'The prompt is longer than the model takes.' },
  invalid_reference: { status: 400, retryable: false, summary: 'A reference cannot be used.' },
  unsupported_action: { status: 400, retryable: false, summary: 'The parent task does not offer this action.' },
  missing_api_key: { status: 401, retryable: false, summary: 'The request carries no API key.' },
  invalid_api_key: { status: 401, retryable: false, summary: 'The API key is unknown.' },
  expired_api_key: { status: 401, retryable: false, summary: 'The API key has expired.' },
  revoked_api_key: { status: 401, retryable: false, summary: 'The API key was revoked.' },
  insufficient_balance: { status: 402, retryable: false, summary: 'The account cannot pay for this order.' },
  spend_limit_reached: { status: 402, retryable: false, summary: 'The spend limit of the API key is reached.' },
  model_not_allowed: { status: 403, retryable: false, summary: 'The API key may not order this model.' },
  forbidden: { status: 403, retryable: false, summary: 'The credentials do not allow this.' },
  model_not_found: { status: 404, retryable: false, summary: 'There is no such model here.' },
  task_not_found: { status: 404, retryable: false, summary: 'This API key has no such task.' },
  not_found: { status: 404, retryable: false, summary: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, retryable: false, summary: 'The address does not take this method.' },
  request_timeout: { status: 408, retryable: true, summary: 'The request was not sent in time.' },
  parent_not_ready: { status: 409, retryable: true, summary: 'The parent task is not final yet.' },
  parent_not_usable: { status: 409, retryable: false, summary: 'The parent task failed, was canceled or was erased.' },
  not_cancelable: { status: 409, retryable: false, summary: 'The task can no longer be canceled.' },
  not_final: { status: 409, retryable: true, summary: 'The task is not final yet.' },
  price_exceeded: { status: 409, retryable: false, summary: 'The price is higher than max_price.' },
  model_retired: { status: 410, retryable: false, summary: 'The model is no longer offered.' },
  outputs_expired: { status: 410, retryable: false, summary: 'The files were erased.' },
  body_too_large: { status: 413, retryable: false, summary: 'The body is too large.' },
  uri_too_long: { status: 414, retryable: false, summary: 'The address is too long.' },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    summary: 'The body has a type that is not taken here, or is compressed.',
  },
  range_not_satisfiable: { status: 416, retryable: false, summary: 'The range lies outside the file.' },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    summary: 'The Idempotency-Key was used with another request.',
  },
  rate_limited: { status: 429, retryable: true, summary: 'Too many requests in this minute.' },
  queue_full: { status: 429, retryable: true, summary: 'Too many tasks of this API key are waiting.' },
  headers_too_large: { status: 431, retryable: false, summary: 'The request headers are too large.' },
  internal_error: { status: 500, retryable: false, summary: 'Something broke on our side.' },
  model_unavailable: { status: 503, retryable: true, summary: 'The model cannot be ordered right now.' },
  service_unavailable: { status: 503, retryable: true, summary: 'The service cannot reach its database.' },
  storage_full: { status: 503, retryable: true, summary: 'The service has no room for files.' },
  shutting_down: { status: 503, retryable: true, summary: 'The service is stopping.' },
} as const satisfies Record<string, { status: number; retryable: boolean; summary: string }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** One fault of a request. `param` is the field as the caller wrote it, with `.` and `[n]` for what lies inside; null when it is no field. */
export interface Fault {
  readonly param: string | null;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface ServiceErrorOptions {
  readonly param?: string | null;
  /** Faults of a body, or facts such as what was needed and what is available. */
  readonly details?: readonly object[];
  /** Seconds after which another try makes sense: the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Nobody knows whether it was done: repeating it may do it twice. */
  readonly outcomeUnknown?: boolean;
  readonly cause?: unknown;
}

/** What a caller is told. Everything else that is thrown becomes `internal_error`, its text kept inside. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly param: string | null;
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
    this.retryable = ERROR_TABLE[code].retryable && !this.outcomeUnknown;
    this.param = options.param ?? null;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.headers = options.headers ?? {};
  }
}

/** One error for all faults of a request: the first stands at the top, every one in `details`. */
export function errorFromFaults(faults: readonly Fault[]): ServiceError {
  const first = faults[0];
  if (first === undefined) throw new TypeError('errorFromFaults needs at least one fault');
  return new ServiceError(first.code, first.message, { param: first.param, details: faults });
}
