import type { ServiceError } from '@darkroom-service/contract';
import type { CallFailure } from './call-result.ts';
import type { Dialect, ErrorFacts } from './dialect.ts';

/** An error of a call, with the headers by which OpenAI's clients decide whether to retry. */
interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: ErrorFacts;
}

/** Maximum wait, in milliseconds: clients ignore longer ones. */
const LONGEST_RETRY_AFTER_MS = 60_000;

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** Converts a refusal of the service. */
export function refusalOf(dialect: Dialect, error: ServiceError): Refusal {
  const { status, code, message, details, retryable, retryAfterSeconds } = error;
  // Programs read from them the reached limit, and the time of its reset.
  const ofLimit = status === 402 && details.length > 0 ? { details } : {};
  const isFinal = !retryable && status < 500;
  const mayWait = retryable && retryAfterSeconds !== null;
  const waitMs = mayWait ? Math.min(LONGEST_RETRY_AFTER_MS, Math.max(1, retryAfterSeconds * 1000)) : null;
  return {
    status,
    headers: {
      ...(isFinal || (code === 'model_unavailable' && !retryable) ? { 'x-should-retry': 'false' } : {}),
      ...(waitMs === null ? {} : { 'retry-after-ms': String(Math.ceil(waitMs)) }),
    },
    error: {
      message: inOwnTerms(dialect, message).toWellFormed(),
      type: typeOf(status),
      code,
      param: paramOf(dialect, error.param),
      status,
      ...ofLimit,
    },
  };
}

/**
 * Converts the failure of an order. The status is never one that clients retry by themselves: the retry would be a new
 * order.
 */
export function failureOf({ code, message }: CallFailure): Refusal {
  const status = code === 'content_policy' || code === 'invalid_input' ? 400 : code === 'outputs_expired' ? 410 : 422;
  return {
    status,
    headers: { 'x-should-retry': 'false' },
    error: { message: message.toWellFormed(), type: typeOf(status), code, param: null, status },
  };
}

function typeOf(status: number): string {
  return TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

/** Replaces the names of fields and addresses in a message of the service by those of the door. */
function inOwnTerms({ root, images, params }: Dialect, message: string): string {
  return message
    .replace(/^\w+(?=[:. ])/, (name) => params[name] ?? name)
    .replaceAll(/\b(?:GET )?\/v1\/models\b/g, `GET ${root}/models`)
    .replaceAll(/\bPOST \/v1\/images\b(?!\/)/g, `POST ${root}${images}`)
    .replaceAll(/\bPOST \/v1\/videos\b(?!\/)/g, `POST ${root}/videos`)
    .replaceAll(/\bGET \/v1\/videos\/(?=vid_)/g, `GET ${root}/videos/`);
}

function paramOf({ params }: Dialect, param: string | null): string | null {
  if (param === null) return null;
  return params[param] ?? param.replace(/^image_urls(?=\[|$)/, 'image').toWellFormed();
}
