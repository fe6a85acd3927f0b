import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';

/** What `type` of a refusal is not the caller's fault; every other is. */
const CLASS_OF_TYPE: Readonly<Record<string, EngineErrorClass>> = {
  content_policy_violation: 'content_policy',
  internal_server_error: 'upstream',
  generation_timeout: 'timeout',
  downstream_service_error: 'upstream',
  downstream_service_unavailable: 'busy',
};
const LOCKED = /exhausted balance|user is locked/i;

/** fal's error bodies: `{ detail }` as a text, or a list of `{ loc, msg, type }` as FastAPI gives it. Null: what the status says. */
export function explainFalError({ status, body }: Answer): Explained | null {
  if (typeof body !== 'object' || body === null) return null;
  const { detail, error_type: errorType } = body as JsonObject;
  if (Array.isArray(detail)) return explainList(detail);
  if (typeof detail !== 'string') return null;
  if (status === 403 && LOCKED.test(detail)) return { class: 'billing', message: detail };
  if (typeof errorType === 'string' && status >= 500) return { class: classOfErrorType(errorType), message: detail };
  return { message: detail };
}

/** What broke at fal itself, as far as it is named. */
export function classOfErrorType(errorType: JsonValue | undefined): EngineErrorClass {
  if (typeof errorType !== 'string') return 'upstream';
  if (errorType.endsWith('_timeout')) return errorType === 'runner_connection_timeout' ? 'upstream' : 'timeout';
  return errorType === 'bad_request' ? 'invalid_input' : 'upstream';
}

function explainList(detail: readonly JsonValue[]): Explained | null {
  const faults = detail.filter((fault): fault is JsonObject => typeof fault === 'object' && fault !== null);
  const types = faults.map(({ type }) => String(type));
  const known = types.find((type) => type in CLASS_OF_TYPE);
  const message = faults.map(({ loc, msg }) => `${placeOf(loc)}${String(msg)}`).join('; ');
  return { class: known === undefined ? 'invalid_input' : (CLASS_OF_TYPE[known] ?? 'invalid_input'), message };
}

function placeOf(loc: JsonValue | undefined): string {
  const place = Array.isArray(loc) ? loc.slice(1).join('.') : '';
  return place === '' ? '' : `${place}: `;
}
