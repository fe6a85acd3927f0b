import type { JsonValue } from '@darkroom-service/contract';
import type { EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';

/** The Router's closed list of error types (comfy-sdk 0.5.0, `router_exceptions`; 2026-11-21). */
const CLASS_OF_TYPE: Readonly<Record<string, EngineErrorClass>> = {
  invalid_input: 'invalid_input',
  content_policy_violation: 'content_policy',
  provider_error: 'upstream',
  provider_timeout: 'timeout',
  insufficient_credits: 'billing',
  model_not_found: 'auth',
  unauthorized: 'auth',
  forbidden: 'auth',
  not_enabled: 'auth',
  concurrency_limit_exceeded: 'busy',
  queue_backlog_full: 'busy',
  service_unavailable: 'busy',
  rate_limited: 'rate_limited',
  deadline_exceeded: 'timeout',
  queue_timeout: 'timeout',
};
/** Types that concern one model: the key works for others. */
const OF_ONE_MODEL = ['model_not_found', 'forbidden', 'not_enabled'];

/** Returns the class of an error type; undefined if only the vendor's words tell. */
export function classOfRouterType(type: string): EngineErrorClass | undefined {
  return type === 'provider_error' ? undefined : CLASS_OF_TYPE[type];
}

/** Reads `{ detail, error_type? }` with the type in `X-Comfy-Error-Type`; null: the HTTP status decides. */
export function explainRouterError({ status, headers, body }: Answer): Explained | null {
  const { detail, error_type: told } = objectOf(body);
  const type = headers['x-comfy-error-type'] ?? (typeof told === 'string' ? told : undefined);
  const message = messageOf(detail);
  if (type === undefined) return message === null ? null : { message };
  const known = CLASS_OF_TYPE[type];
  return {
    ...(message === null ? {} : { message }),
    ...(known === undefined ? {} : { class: known }),
    ...(status < 500 && OF_ONE_MODEL.includes(type) ? { scope: 'route' } : {}),
  };
}

/** Reads a text, or a list of `{ loc, msg }`. */
export function messageOf(detail: JsonValue | undefined): string | null {
  if (typeof detail === 'string') return detail === '' ? null : detail;
  if (!Array.isArray(detail) || detail.length === 0) return null;
  return detail
    .map((one: JsonValue) => objectOf(one))
    .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.slice(1).join('.') : 'the order'}: ${String(msg)}`)
    .join('; ');
}
