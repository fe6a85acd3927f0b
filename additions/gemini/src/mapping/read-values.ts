import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';

/** Returns a field by its name in camel case, or by the same name in snake case; null if it is absent. */
export function field(object: JsonObject, name: string): JsonValue {
  return object[name] ?? object[snakeCase(name)] ?? null;
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the object in a field; empty if it is absent. @throws ServiceError if it is anything else */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = field(object, name);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw invalid(name, `expected an object, found ${describeValue(value)}`);
}

/** Returns a value as a list: none, one or several. Empty places are left out. */
export function listOf(value: JsonValue): JsonValue[] {
  return (Array.isArray(value) ? [...value] : [value]).filter((one) => one !== null);
}

/** Returns the fields of an object in snake case, as the models have them, without those that were read. */
export function restOf(object: JsonObject, read: readonly string[]): JsonObject {
  const rest = Object.entries(object).filter(([name]) => !read.some((one) => one === name || snakeCase(one) === name));
  return Object.fromEntries(rest.map(([name, value]) => [snakeCase(name), value]));
}

/** Returns a number of outputs. @throws ServiceError unless it is a whole number from 1 to `most` */
export function countIn(object: JsonObject, name: string, most: number): number {
  const value = field(object, name) ?? 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw invalid(name, `expected a whole number from 1 to ${most}, found ${describeValue(value)}`);
}

/** Returns the fields that are not null. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(kept as [string, JsonValue][]);
}

export function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${param}: ${message}.`, { param });
}

export function unsupported(param: string, message: string): ServiceError {
  return new ServiceError('unsupported_value', `${param}: ${message}`, { param });
}
