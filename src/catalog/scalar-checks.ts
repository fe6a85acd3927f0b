import { type Fault, isCleanText, type JsonValue } from '@darkroom-service/contract';
import { isMultipleOf, type ParameterCheck, type Schema } from '@darkroom-service/contract/catalog';
import { MOST_FAULTS, textFault, unexpected } from './parameter-fault.ts';
import { measureText } from './text-limit.ts';

/** `order:` is for orders of the same batch. */
const REFERENCE = /^(https?:\/\/|data:|upload:|task:|order:)/i;
const DEEPEST = 20;

/** Compiles the check for one of a list of values; texts compare case-insensitively. */
export function compileEnum(allowed: readonly JsonValue[], schema: Schema, expectation: string): ParameterCheck {
  const spellings = new Map<JsonValue, JsonValue>();
  for (const value of allowed) spellings.set(typeof value === 'string' ? value.toLowerCase() : value, value);
  const kinds = new Set(allowed.map((value) => typeof value));
  return function checkEnum(value, path, faults) {
    const spelled = spellings.get(typeof value === 'string' ? value.toLowerCase() : value);
    if (spelled !== undefined) return spelled;
    const sound = kinds.has(typeof value) || (schema.type === 'string' && typeof value === 'string');
    faults.push(unexpected(path, sound ? 'unsupported_value' : 'invalid_request', expectation, value));
    return value;
  };
}

/** Checks a text's length and pattern. */
export function compileText(schema: Schema, expectation: string): ParameterCheck {
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, 'u');
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  return function checkText(value, path, faults) {
    if (typeof value !== 'string') {
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    }
    const fault = textFault(path, value);
    if (fault !== null) faults.push(fault);
    else if (isOutside(value, minLength, maxLength) || (pattern !== null && !pattern.test(value))) {
      faults.push(unexpected(path, 'unsupported_value', expectation, value));
    }
    return value;
  };
}

/** Checks a number's bounds. */
export function compileNumber(schema: Schema, expectation: string): ParameterCheck {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const {
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
    exclusiveMaximum = Number.POSITIVE_INFINITY,
    multipleOf,
  } = schema;
  const whole = schema.type === 'integer';
  return function checkNumber(value, path, faults) {
    if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) {
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    }
    const outside = value < minimum || value > maximum || value <= exclusiveMinimum || value >= exclusiveMaximum;
    if (outside || (multipleOf !== undefined && !isMultipleOf(value, multipleOf))) {
      faults.push(unexpected(path, 'unsupported_value', expectation, value));
    }
    return value;
  };
}

/** Tells whether a text refers to a medium, by its first characters. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text) && isCleanText(text);
}

/** Checks that a text refers to a medium, by its first characters. */
export function checkReference(value: JsonValue, path: string, faults: Fault[]): JsonValue {
  const expectation = 'an http(s) URL, a data URI, upload:<file_id> or task:<task_id>';
  if (typeof value !== 'string') faults.push(unexpected(path, 'invalid_request', expectation, value));
  else {
    const fault = textFault(path, value);
    if (fault !== null) faults.push(fault);
    else if (!REFERENCE.test(value)) faults.push(unexpected(path, 'invalid_reference', expectation, value));
  }
  return value;
}

/** Values of any shape must still be storable. */
export function checkAnything(value: JsonValue, path: string, faults: Fault[]): JsonValue {
  checkStorable(value, path, faults, 0);
  return value;
}

/** Lengths are code points, as in JSON Schema; a text is counted only if its UTF-16 length does not decide. */
function isOutside(text: string, minLength: number, maxLength: number): boolean {
  if (text.length < minLength) return true;
  if (text.length <= maxLength && minLength <= 1) return false;
  const length = measureText(text, 'characters');
  return length < minLength || length > maxLength;
}

function checkStorable(value: JsonValue, path: string, faults: Fault[], depth: number): void {
  if (typeof value === 'string') {
    const fault = textFault(path, value);
    if (fault !== null) faults.push(fault);
  }
  if (typeof value !== 'object' || value === null || faults.length >= MOST_FAULTS) return;
  if (depth === DEEPEST) {
    faults.push({
      param: path,
      code: 'invalid_request',
      message: `${path} is nested too deeply; the maximum is ${DEEPEST} levels.`,
    });
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    checkStorable(name, path, faults, depth);
    checkStorable(inner, path, faults, depth + 1);
  }
}
