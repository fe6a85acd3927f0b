import type { JsonValue } from '../json.ts';
import type { Condition } from './entry-schema.ts';

/**
 * Tells whether a value meets a condition. `null` (not sent or unknown) meets only `{ present: false }` and `{ not }`;
 * `present` tells whether the value counts as sent, see `isPresent`.
 */
export function meets(condition: Condition, value: JsonValue, present: boolean): boolean {
  if (typeof condition !== 'object') return value === condition;
  if ('length' in condition) return condition.includes(value as never);
  if ('present' in condition) return present === condition.present;
  if ('not' in condition) return !condition.not.includes(value as never);
  const number = toNumber(value);
  return number !== null && withinBounds(condition, number);
}

/** Tells whether a demand (`then`) is met: same as `meets`, except that a value that was not sent satisfies bounds. */
export function satisfies(condition: Condition, value: JsonValue, present: boolean): boolean {
  if (value === null && isBounds(condition)) return true;
  return meets(condition, value, present);
}

/** Tells whether a value counts as sent: it is not empty and differs from the default. */
export function isPresent(value: JsonValue | undefined, defaultValue: JsonValue = null): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (Array.isArray(value) && value.length === 0) return false;
  return !sameValue(value, defaultValue);
}

/**
 * Returns the values that a condition names, and the ends of its bounds with a step to either side: enough to decide
 * whether two conditions can hold together.
 */
export function boundaryValues(condition: Condition): readonly (string | number | boolean)[] {
  if (typeof condition !== 'object') return [condition];
  if ('length' in condition) return condition;
  if ('present' in condition) return [];
  if ('not' in condition) return condition.not;
  const ends = [condition.min, condition.max, condition.above, condition.below].filter((end) => end !== undefined);
  return ends.flatMap((end) => [end - 0.5, end, end + 0.5]);
}

type Bounds = Extract<Condition, { min?: number }>;

export function isBounds(condition: Condition): condition is Bounds {
  return (
    typeof condition === 'object' && !('length' in condition) && !('present' in condition) && !('not' in condition)
  );
}

export function isMultipleOf(number: number, step: number): boolean {
  const times = number / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function withinBounds(bounds: Bounds, number: number): boolean {
  if (bounds.min !== undefined && number < bounds.min) return false;
  if (bounds.max !== undefined && number > bounds.max) return false;
  if (bounds.above !== undefined && number <= bounds.above) return false;
  if (bounds.below !== undefined && number >= bounds.below) return false;
  return bounds.multiple_of === undefined || isMultipleOf(number, bounds.multiple_of);
}

function toNumber(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function sameValue(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  return JSON.stringify(left) === JSON.stringify(right);
}
