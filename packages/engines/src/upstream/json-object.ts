import type { JsonObject, JsonValue } from '@darkroom-service/contract';

/**
 * Returns the value if it is an object, else an empty object, so that a body of another shape reads as one without
 * fields.
 */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
