import { given, type JsonValue } from '@darkroom-service/contract';
import { type Condition, isBounds, isPresent, meets, satisfies } from '@darkroom-service/contract/catalog';

type Json = { [keyword: string]: unknown };

/**
 * Converts a condition on one property to JSON Schema. A property that is not sent has its default; for `demanded` see
 * `satisfies`.
 */
export function conditionSchema(name: string, condition: Condition, standard: JsonValue, demanded: boolean): Json {
  const holdsUnsent = (demanded ? satisfies : meets)(condition, standard, false);
  const value = valueSchema(name, condition, standard, demanded);
  // Null stands for the default.
  const ofNull = holdsUnsent ? { anyOf: [value, NULL] } : { allOf: [value, { not: NULL }] };
  const withNull = standard === null ? value : ofNull;
  return { properties: { [name]: withNull }, ...(holdsUnsent ? {} : { required: [name] }) };
}

const NULL = { type: 'null' };

/** Matches values that count as sent, see `isPresent`. */
export function presentSchema(standard: JsonValue): Json {
  const absent: JsonValue[] = [null, false, ''];
  if (isPresent(standard)) absent.push(standard);
  return { not: { enum: absent }, minItems: 1 };
}

function valueSchema(name: string, condition: Condition, standard: JsonValue, demanded: boolean): Json {
  if (typeof condition !== 'object') return { enum: spellings(name, [condition]) };
  if (Array.isArray(condition)) return { enum: spellings(name, condition) };
  if ('present' in condition) return condition.present ? presentSchema(standard) : { not: presentSchema(standard) };
  if ('not' in condition) return { not: { enum: spellings(name, condition.not) } };
  if (!isBounds(condition)) return {};
  const { min, max, above, below, multiple_of: multipleOf } = condition;
  const bounds = {
    ...(demanded ? { type: ['number', 'null', 'string'], maxLength: 32 } : { type: 'number' }),
    ...given({ minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf }),
  };
  return bounds;
}

/** Returns the accepted spellings of values: `duration` may be a numeric string. */
function spellings(name: string, values: readonly JsonValue[]): JsonValue[] {
  if (name !== 'duration') return [...values];
  return values.flatMap((value): JsonValue[] => (typeof value === 'number' ? [value, String(value)] : [value]));
}
