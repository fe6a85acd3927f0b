import {
  cleanText,
  didYouMean,
  type Fault,
  isJsonObject,
  type JsonValue,
  suggestName,
} from '@darkroom-service/contract';
import { describeSchema, type ParameterCheck, type Schema, showValue } from '@darkroom-service/contract/catalog';
import { MOST_FAULTS, unexpected } from './parameter-fault.ts';
import { checkAnything, checkReference, compileEnum, compileNumber, compileText } from './scalar-checks.ts';

/**
 * The JSON Schema keywords that a parameter may use; `check-entry` rejects others, so that none is silently ignored.
 */
export const CHECKED_KEYWORDS = new Set(
  'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern items prefixItems minItems maxItems uniqueItems properties required additionalProperties anyOf format'.split(
    ' ',
  ),
);
export const ANNOTATION_KEYWORDS = new Set('title description default examples deprecated $comment'.split(' '));

/** Compiles a checker for a parameter's schema once, so that a request needs only a few comparisons. */
export function compileCheck(schema: Schema): ParameterCheck {
  const expectation = describeSchema(schema);
  const checkKind = schema.anyOf === undefined ? compileKind(schema, expectation) : compileAnyOf(schema, expectation);
  if (schema.enum === undefined && schema.const === undefined) return checkKind;
  return compileEnum(schema.enum ?? [schema.const ?? null], schema, expectation);
}

/** Compiles the check of `duration`, which may be a number or a numeric string and is compared as a number. */
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

function readNumber(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : null;
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
    if (schema.uniqueItems === true && faults.length === before && hasDuplicates(read)) {
      faults.push({
        param: path,
        code: 'unsupported_value',
        message: `${path} contains the same value twice. Remove one of them.`,
      });
    }
    return read;
  };
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size < items.length;
}

function compileObject(schema: Schema, expectation: string): ParameterCheck {
  if (schema.properties === undefined) {
    return function checkFreeObject(value, path, faults) {
      if (isJsonObject(value)) return checkAnything(value, path, faults);
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    };
  }
  const checks = new Map(Object.entries(schema.properties).map(([name, property]) => [name, compileCheck(property)]));
  const names = [...checks.keys()].join(', ');
  const free = schema.additionalProperties === true;
  return function checkObject(value, path, faults) {
    if (!isJsonObject(value)) {
      faults.push(unexpected(path, 'invalid_request', expectation, value));
      return value;
    }
    const read: [string, JsonValue][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (faults.length >= MOST_FAULTS) break;
      const check = checks.get(name) ?? (free ? checkAnything : null);
      const innerPath = `${path}.${cleanText(name, 100)}`;
      if (check === null)
        faults.push({
          param: innerPath,
          code: 'unsupported_field',
          message: `${path} does not accept ${showValue(name)}.${didYouMean(suggestName(name, [...checks.keys()]))} Accepted fields: ${names}.`,
        });
      else read.push([name, check(inner, innerPath, faults)]);
    }
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name))
        faults.push({ param: `${path}.${name}`, code: 'invalid_request', message: `${path}.${name} is missing.` });
    }
    return Object.fromEntries(read);
  };
}
