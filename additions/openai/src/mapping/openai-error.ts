import type { ServiceError } from '@darkroom-service/contract';
import type { CallFailure } from './call-result.ts';
import type { OpenaiErrorView } from './openai-wire.ts';

/** An error in OpenAI's shape, with the headers by which its clients decide whether to retry. */
interface OpenaiRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OpenaiErrorView;
}

/** Maximum wait, in milliseconds: clients ignore longer ones. */
const LONGEST_RETRY_AFTER_MS = 60_000;

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** Names of our fields that have other names at OpenAI. */
const PARAMS: Readonly<Record<string, string>> = {
  model_id: 'model',
  end_user: 'user',
  mask_url: 'mask',
  duration: 'seconds',
  first_frame_url: 'input_reference',
};

/** Addresses in messages of the service, and those of the mount that do the same. */
const ADDRESSES = [
  [/\b(?:GET )?\/v1\/models\b/g, 'GET /openai/v1/models'],
  [/\bPOST \/v1\/images\b(?!\/)/g, 'POST /openai/v1/images/generations'],
  [/\bPOST \/v1\/videos\b(?!\/)/g, 'POST /openai/v1/videos'],
  [/\bGET \/v1\/videos\/(?=vid_)/g, 'GET /openai/v1/videos/'],
] as const;

/** Converts a refusal of the service. */
export function refusalOf(error: ServiceError): OpenaiRefusal {
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
    body: {
      error: {
        message: inOwnTerms(message).toWellFormed(),
        type: typeOf(status),
        code,
        param: paramOf(error.param),
        status,
        ...ofLimit,
      },
    },
  };
}

/**
 * Converts the failure of an order. The status is never one that clients retry by themselves: the retry would be a new
 * order.
 */
export function failureAnswer({ code, message }: CallFailure): OpenaiRefusal {
  const status = code === 'content_policy' || code === 'invalid_input' ? 400 : code === 'outputs_expired' ? 410 : 422;
  return {
    status,
    headers: { 'x-should-retry': 'false' },
    body: {
      error: { message: message.toWellFormed(), type: typeOf(status), code, param: null, status },
    },
  };
}

function typeOf(status: number): string {
  return TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

/** Replaces the names of fields and addresses by those of this interface. */
function inOwnTerms(message: string): string {
  const withField = message.replace(/^\w+(?=[:. ])/, (name) => PARAMS[name] ?? name);
  return ADDRESSES.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), withField);
}

function paramOf(param: string | null): string | null {
  if (param === null) return null;
  return PARAMS[param] ?? param.replace(/^image_urls(?=\[|$)/, 'image').toWellFormed();
}
