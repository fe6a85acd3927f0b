import type { CallFailure } from '@darkroom-service/addition-openai/mapping/call-result';
import type { ServiceError } from '@darkroom-service/contract';
import { Text, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

/** An error in Google's shape. */
export const GeminiError = Type.Object({
  error: Type.Object({
    code: Type.Union([Type.Integer(), Text], { description: 'The HTTP status; of interactions our own code.' }),
    message: Text,
    status: Type.String({ description: "Google's word for the status." }),
    details: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  }),
});
export type GeminiErrorView = Wire<typeof GeminiError>;

/** Google's words for the statuses of HTTP. */
const WORDS: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  422: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  504: 'DEADLINE_EXCEEDED',
};
/** Google's numbers of those words, for errors of operations. */
const NUMBERS: Readonly<Record<string, number>> = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  FAILED_PRECONDITION: 9,
};
/** Names of our fields that have other names here. */
const PARAMS: Readonly<Record<string, string>> = {
  model_id: 'model',
  aspect_ratio: 'aspectRatio',
  resolution: 'imageSize',
  duration: 'durationSeconds',
  image_urls: 'inlineData',
  first_frame_url: 'image',
  last_frame_url: 'lastFrame',
};
/** Addresses in messages of the service, and those of this interface that do the same. */
const ADDRESSES = [
  [/\b(?:GET )?\/v1\/models\b/g, 'GET /gemini/v1beta/models'],
  [/\bPOST \/v1\/images\b(?!\/)/g, 'POST /gemini/v1beta/models/{model}:generateContent'],
  [/\bPOST \/v1\/videos\b(?!\/)/g, 'POST /gemini/v1beta/models/{model}:predictLongRunning'],
] as const;

/** Returns a refusal in Google's shape. @param isInteraction those have our own code, as text */
export function refusalOf(error: ServiceError, isInteraction: boolean): GeminiErrorView {
  const { status, code, param, details } = error;
  return errorView({
    status,
    code,
    message: inOwnTerms(error.message),
    isInteraction,
    metadata: param === null ? {} : { param: PARAMS[param] ?? param },
    limits: status === 402 ? details : [],
  });
}

/**
 * Returns the failure of an order. The status is never one that clients retry by themselves: the retry would be a new
 * order.
 */
export function failureOf({ code, message }: CallFailure): { readonly status: number; readonly body: GeminiErrorView } {
  const status = code === 'content_policy' || code === 'invalid_input' ? 400 : code === 'outputs_expired' ? 410 : 422;
  return { status, body: errorView({ status, code, message, isInteraction: false }) };
}

/** Returns the answer to a client that no longer waits, with a status that none retries by itself. */
export function notFinal(message: string): { readonly status: number; readonly body: GeminiErrorView } {
  return { status: 422, body: errorView({ status: 422, code: 'not_final', message, isInteraction: false }) };
}

/** Returns the failure of an order as the error of its operation. */
export function operationError(failure: CallFailure): { readonly code: number; readonly message: string } {
  const { error } = failureOf(failure).body;
  const word = failure.code === 'canceled' ? 'CANCELLED' : error.status;
  return { code: NUMBERS[word] ?? 2, message: error.message };
}

function errorView(error: {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly isInteraction: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly limits?: readonly object[];
}): GeminiErrorView {
  const { status, code, message, isInteraction, metadata = {}, limits = [] } = error;
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code.toUpperCase(), domain: 'darkroom' };
  return {
    error: {
      code: isInteraction ? code : status,
      message: message.toWellFormed(),
      status: WORDS[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT'),
      details: [{ ...info, metadata }, ...limits.map((limit) => ({ ...limit }))],
    },
  };
}

/** Replaces the names of fields and addresses by those of this interface. */
function inOwnTerms(message: string): string {
  const withField = message.replace(/^\w+(?=[:. ])/, (name) => PARAMS[name] ?? name);
  return ADDRESSES.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), withField);
}
