/**
 * Freezes a value and everything in it, in place, and returns it. Assumes that an already frozen object is frozen
 * throughout.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
