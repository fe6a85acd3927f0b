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
/** Not verified against the live service: how it words a purse that is empty, and which of its own troubles it names so. */
export const UNVERIFIED = {
  locked: /exhausted balance|locked/i,
  canceled: 'client_cancelled',
  badRequest: 'bad_request',
};

/** fal's error bodies: `{ detail }` as a text, or a list of `{ loc, msg, type }` as FastAPI gives it. Null: what the status says. */
export function explainFalError({ status, body }: Answer): Explained | null {
  if (typeof body !== 'object' || body === null) return null;
  const { detail, error_type: errorType } = body as JsonObject;
  if (Array.isArray(detail)) return explainList(detail);
  if (typeof detail !== 'string') return null;
  if (status === 403 && UNVERIFIED.locked.test(detail)) return { class: 'billing', message: detail };
  // An endpoint that moved is for the operator to mend, and says nothing of fal's others.
  if (status === 404) return { class: 'auth', message: detail };
  if (typeof errorType === 'string' && status >= 500) return { class: classOfErrorType(errorType), message: detail };
  return { message: detail };
}

/** What broke at fal itself, as far as it is named. */
export function classOfErrorType(errorType: JsonValue | undefined): EngineErrorClass {
  if (typeof errorType !== 'string') return 'upstream';
  if (errorType.endsWith('_timeout')) return errorType === 'runner_connection_timeout' ? 'upstream' : 'timeout';
  return errorType === UNVERIFIED.badRequest ? 'invalid_input' : 'upstream';
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
