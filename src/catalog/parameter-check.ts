import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import type { ErrorCode, Fault } from '../base/errors.ts';
import { isMultipleOf } from './condition.ts';
import { describeSchema, type Schema, showValue } from './describe-schema.ts';

/** Checks one value, adds what is wrong to `faults`, and answers it in the entry's own spelling. */
export type ParameterCheck = (value: JsonValue, path: string, faults: Fault[]) => JsonValue;

/** The keywords of JSON Schema that a parameter may use; `check-entry` refuses the others, so that none is silently without effect. */
export const CHECKED_KEYWORDS = new Set(
  'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern items prefixItems minItems maxItems uniqueItems properties required additionalProperties anyOf format'.split(
    ' ',
  ),
);
export const ANNOTATION_KEYWORDS = new Set('title description default examples deprecated $comment'.split(' '));

/** A body with more faults than these is not worth reading on. */
export const MOST_FAULTS = 100;
const DEEPEST = 20;

const REFERENCE = /^(https?:\/\/|data:|upload:|task:)/i;

/** A checker for a parameter's schema, compiled once so that a request costs a few comparisons. */
export function compileCheck(schema: Schema): ParameterCheck {
  const expectation = describeSchema(schema);
  const checkKind = schema.anyOf === undefined ? compileKind(schema, expectation) : compileAnyOf(schema, expectation);
  if (schema.enum === undefined && schema.const === undefined) return checkKind;
  return compileEnum(schema.enum ?? [schema.const ?? null], schema, expectation);
}

/** As `compileCheck`, for `duration`, which may come as a number or as a numeric string and is compared as a number. */
export function compileDurationCheck(schema: Schema): ParameterCheck {
  const check = compileCheck(schema);
  const named = schema.enum?.filter((value) => typeof value === 'string') ?? [];
  return function checkDuration(value, path, faults) {
    const number = readNumber(value);
    if (number === null) return check(value, path, faults);
    const spelled = named.find((name) => readNumber(name.replace(/s$/i, '')) === number);
    if (spelled !== undefined) return spelled;
    return check(schema.type === 'string' ? String(value) : number, path, faults);
  };
}

/** A refusal in the words every fault of a value has: what was expected, and what was found. */
export function unexpected(path: string, code: ErrorCode, expectation: string, found: JsonValue): Fault {
  return { param: path, code, message: `${path} must be ${expectation}; found ${showValue(found)}.` };
}

/** What no text may hold, on any database: NUL and halves of surrogate pairs. Null when the text is sound. */
export function textFault(path: string, text: string): Fault | null {
  if (text.includes('\0'))
    return { param: path, code: 'invalid_request', message: `${path} holds a NUL character; take it out.` };
  if (!text.isWellFormed())
    return {
      param: path,
      code: 'invalid_request',
      message: `${path} is not well-formed Unicode: it holds half of a surrogate pair.`,
    };
  return null;
}

function readNumber(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : null;
}

function compileEnum(allowed: readonly JsonValue[], schema: Schema, expectation: string): ParameterCheck {
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

function compileAnyOf(schema: Schema, expectation: string): ParameterCheck {
  const { anyOf = [], ...common } = schema;
  const checks = anyOf.map((option) => compileCheck({ ...common, ...option }));
  return function checkAnyOf(value, path, faults) {
    let sound = false;
    for (const check of checks) {
      const found: Fault[] = [];
      const read = check(value, path, found);
      if (found.length === 0) return read;
      sound ||= found.every((fault) => fault.code !== 'invalid_request');
    }
    faults.push(unexpected(path, sound ? 'unsupported_value' : 'invalid_request', expectation, value));
    return value;
  };
}

function compileKind(schema: Schema, expectation: string): ParameterCheck {
  switch (schema.type) {
    case 'string':
      return schema.format === 'uri' ? checkReference : compileText(schema, expectation);
    case 'integer':
    case 'number':
      return compileNumber(schema, expectation);
    case 'boolean':
      return function checkBoolean(value, path, faults) {
        if (typeof value !== 'boolean') faults.push(unexpected(path, 'invalid_request', expectation, value));
        return value;
      };
    case 'array':
      return compileArray(schema, expectation);
    case 'object':
      return compileObject(schema, expectation);
    default:
      return checkAnything;
  }
}

function compileText(schema: Schema, expectation: string): ParameterCheck {
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

/** Lengths are code points, as JSON Schema counts; a text is counted only where its UTF-16 length leaves a doubt. */
function isOutside(text: string, minLength: number, maxLength: number): boolean {
  if (text.length < minLength) return true;
  if (text.length <= maxLength && minLength <= 1) return false;
  const length = [...text].length;
  return length < minLength || length > maxLength;
}

function compileNumber(schema: Schema, expectation: string): ParameterCheck {
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

function compileArray(schema: Schema, expectation: string): ParameterCheck {
  const checkItem = schema.items === undefined ? checkAnything : compileCheck(schema.items);
  const checkFirst = (schema.prefixItems ?? []).map(compileCheck);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  return function checkArray(value, path, faults) {
    if (!Array.isArray(value)) {
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    }
    if (value.length < minItems || value.length > maxItems) {
      faults.push({
        param: path,
        code: 'unsupported_value',
        message: `${path} must be ${expectation}; found ${value.length}.`,
      });
      return value;
    }
    const before = faults.length;
    const read: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      if (faults.length >= MOST_FAULTS) break;
      read.push((checkFirst[index] ?? checkItem)(item, `${path}[${index}]`, faults));
    }
    if (schema.uniqueItems === true && faults.length === before && hasTwins(read)) {
      faults.push({ param: path, code: 'unsupported_value', message: `${path} names the same thing twice.` });
    }
    return read;
  };
}

function hasTwins(items: readonly JsonValue[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size < items.length;
}

function compileObject(schema: Schema, expectation: string): ParameterCheck {
  if (schema.properties === undefined) {
    return function checkFreeObject(value, path, faults) {
      if (isObject(value)) return checkAnything(value, path, faults);
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    };
  }
  const checks = new Map(Object.entries(schema.properties).map(([name, property]) => [name, compileCheck(property)]));
  const names = [...checks.keys()].join(', ');
  const free = schema.additionalProperties === true;
  return function checkObject(value, path, faults) {
    if (!isObject(value)) {
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    }
    const read: [string, JsonValue][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (faults.length >= MOST_FAULTS) break;
      const check = checks.get(name) ?? (free ? checkAnything : null);
      const innerPath = `${path}.${name.toWellFormed().slice(0, 100)}`;
      if (check === null)
        faults.push({
          param: innerPath,
          code: 'unsupported_field',
          message: `${path} has no ${showValue(name)}. It takes: ${names}.`,
        });
      else read.push([name, check(inner, innerPath, faults)]);
    }
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name))
        faults.push({ param: `${path}.${name}`, code: 'invalid_request', message: `${path} needs ${name}.` });
    }
    return Object.fromEntries(read);
  };
}

function checkReference(value: JsonValue, path: string, faults: Fault[]): JsonValue {
  const expectation = 'an http(s) URL, a data URI, upload:<file_id> or task:<task_id>';
  if (typeof value !== 'string') faults.push(unexpected(path, 'invalid_request', expectation, value));
  else {
    const fault = textFault(path, value);
    if (fault !== null) faults.push(fault);
    else if (!REFERENCE.test(value)) faults.push(unexpected(path, 'invalid_reference', expectation, value));
  }
  return value;
}

/** What is free in shape still has to be storable. */
function checkAnything(value: JsonValue, path: string, faults: Fault[]): JsonValue {
  checkSound(value, path, faults, 0);
  return value;
}

function checkSound(value: JsonValue, path: string, faults: Fault[], depth: number): void {
  if (typeof value === 'string') {
    const fault = textFault(path, value);
    if (fault !== null) faults.push(fault);
  }
  if (typeof value !== 'object' || value === null || faults.length >= MOST_FAULTS) return;
  if (depth === DEEPEST) {
    faults.push({
      param: path,
      code: 'invalid_request',
      message: `${path} is nested more than ${DEEPEST} levels deep.`,
    });
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    checkSound(name, path, faults, depth);
    checkSound(inner, path, faults, depth + 1);
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
