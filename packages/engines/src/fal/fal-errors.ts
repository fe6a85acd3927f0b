import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';

/** Classes of the `type`s that are not the caller's fault. For all others the status decides. */
const CLASS_OF_TYPE: Readonly<Record<string, EngineErrorClass>> = {
  content_policy_violation: 'content_policy',
  internal_server_error: 'upstream',
  generation_timeout: 'timeout',
  downstream_service_error: 'upstream',
  downstream_service_unavailable: 'busy',
};
/** Types of fal's internal errors that were not verified against the live service. */
export const UNVERIFIED = {
  canceled: 'client_cancelled',
  badRequest: 'bad_request',
};

/** Reads fal's error bodies: `{ detail }` as a string, or as FastAPI's list of `{ loc, msg, type }`. */
export function explainFalError({ status, body }: Answer): Explained | null {
  if (typeof body !== 'object' || body === null) return null;
  const { detail, error_type: errorType } = body as JsonObject;
  if (Array.isArray(detail)) return explainList(detail);
  if (typeof detail !== 'string') return null;
  // The operator must fix a moved endpoint; fal's other endpoints are not affected.
  if (status === 404) return { class: 'auth', scope: 'route', message: detail };
  const known = status >= 500 ? classOfErrorType(errorType) : undefined;
  return known === undefined ? { message: detail } : { class: known, message: detail };
}

/** Returns the class of fal's internal error; undefined if only its words tell. */
export function classOfErrorType(errorType: JsonValue | undefined): EngineErrorClass | undefined {
  if (typeof errorType !== 'string') return undefined;
  if (errorType.endsWith('_timeout')) return errorType === 'runner_connection_timeout' ? 'upstream' : 'timeout';
  return errorType === UNVERIFIED.badRequest ? 'invalid_input' : undefined;
}

function explainList(detail: readonly JsonValue[]): Explained | null {
  const faults = detail.filter((fault): fault is JsonObject => typeof fault === 'object' && fault !== null);
  const types = faults.map(({ type }) => String(type));
  const known = types.find((type) => type in CLASS_OF_TYPE);
  const message = faults.map(({ loc, msg }) => `${placeOf(loc)}${String(msg)}`).join('; ');
  const errorClass = known === undefined ? undefined : CLASS_OF_TYPE[known];
  return { message, ...(errorClass === undefined ? {} : { class: errorClass }) };
}

function placeOf(loc: JsonValue | undefined): string {
  const field = Array.isArray(loc) ? loc.slice(1).join('.') : '';
  return field === '' ? '' : `${field}: `;
}
