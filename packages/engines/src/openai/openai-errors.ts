import type { EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';

/** Codes that concern the one model that the route names. */
const OF_MODEL = ['model_not_found', 'DeploymentNotFound', 'OperationNotSupported'];
const CLASS_OF_CODE: Readonly<Record<string, EngineErrorClass>> = {
  moderation_blocked: 'content_policy',
  content_policy_violation: 'content_policy',
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  invalid_api_key: 'auth',
  /** Also sent for a model that the key may not use. */
  model_not_found: 'auth',
  rate_limit_exceeded: 'rate_limited',
  /** Azure's code for a refusal by its content filter. */
  contentFilter: 'content_policy',
  /** Azure: the deployment does not exist, or is of a model that makes no images. */
  DeploymentNotFound: 'auth',
  /** Azure: the whole resource is blocked, whatever the order says. */
  Forbidden: 'auth',
  OperationNotSupported: 'auth',
};

/**
 * Reads `{ error: { message, type, param, code } }`, or `{ error: "…" }` from smaller servers; null: the HTTP status
 * decides.
 */
export function explainOpenAiError(answer: Answer): Explained | null {
  const { error } = objectOf(answer.body);
  if (typeof error === 'string') return { message: error };
  const { code, message, param } = objectOf(error);
  if (typeof message !== 'string') return null;
  const known = CLASS_OF_CODE[String(code)] ?? (isRefusal(answer) ? 'busy' : undefined);
  const field = typeof param === 'string' && !message.includes(param) ? `${param}: ` : '';
  return {
    message: `${field}${message}`,
    ...retryAfterMsOf(answer),
    ...(known === undefined ? {} : { class: known }),
    ...(OF_MODEL.includes(String(code)) ? { scope: 'route' } : {}),
    ...(isRefusal(answer) ? { refused: true } : {}),
  };
}

/**
 * Tells whether nothing was made. OpenAI's own client sends the request again if the header `x-should-retry` asks for
 * it, and else after every 5xx (openai 7.55.0, `shouldRetry`); its documents call 503 an overload. Other 5xx may come
 * after the work.
 */
function isRefusal({ status, headers }: Answer): boolean {
  const asked = headers['x-should-retry'];
  const isUndecided = status >= 500 || status === 408 || status === 409;
  return isUndecided && (asked === undefined ? status === 503 : asked === 'true');
}

/** Returns the retry delay: OpenAI's own header, in milliseconds, takes precedence over `Retry-After`. */
function retryAfterMsOf({ headers }: Answer): { retryAfterMs?: number } {
  const waitMs = Number(headers['retry-after-ms'] || Number.NaN);
  return waitMs >= 0 ? { retryAfterMs: waitMs } : {};
}
