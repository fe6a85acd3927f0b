import { cutText } from '../clean-text.ts';
import type { JsonValue } from '../json.ts';

/** The JSON Schema keywords of a parameter that this code reads. */
export interface Schema {
  readonly type?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly 'x-media'?: 'image' | 'video' | 'audio';
}

/**
 * Describes the values that a schema accepts, as words after "must be": `one of "1K", "2K"`, `a whole number from 1 to
 * 20`.
 */
export function describeSchema(schema: Schema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) {
    const { anyOf, ...common } = schema;
    return anyOf.map((option) => describeSchema({ ...common, ...option })).join(', or ');
  }
  switch (schema.type) {
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return describeList(schema);
    case 'object':
      return schema.properties === undefined
        ? 'an object'
        : `an object with ${Object.keys(schema.properties).join(', ')}`;
    default:
      return describeText(schema);
  }
}

/**
 * Formats a value for a message: long texts are shortened; lists and objects are only described, since they may be
 * deep.
 */
export function showValue(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(typeof value === 'string' ? cutText(value, 100) : value);
  return text.length > 80 ? cutText(text, 77, '…') : text;
}

function describeRange(schema: Schema): string {
  const bounds: string[] = [];
  if (schema.minimum !== undefined && schema.minimum === schema.maximum) return `, namely ${schema.minimum}`;
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    bounds.push(`from ${schema.minimum} to ${schema.maximum}`);
  else if (schema.minimum !== undefined) bounds.push(`of at least ${schema.minimum}`);
  else if (schema.maximum !== undefined) bounds.push(`of at most ${schema.maximum}`);
  if (schema.exclusiveMinimum !== undefined) bounds.push(`above ${schema.exclusiveMinimum}`);
  if (schema.exclusiveMaximum !== undefined) bounds.push(`below ${schema.exclusiveMaximum}`);
  if (schema.multipleOf !== undefined) bounds.push(`in steps of ${schema.multipleOf}`);
  return bounds.length === 0 ? '' : ` ${bounds.join(', ')}`;
}

function describeList(schema: Schema): string {
  const { minItems, maxItems } = schema;
  const count =
    minItems !== undefined && maxItems !== undefined
      ? ` of ${minItems} to ${maxItems}`
      : maxItems !== undefined
        ? ` of at most ${maxItems}`
        : minItems !== undefined
          ? ` of at least ${minItems}`
          : '';
  const items =
    schema.items?.enum === undefined
      ? schema.items?.format === 'uri'
        ? ' references'
        : schema.items?.type === undefined
          ? ''
          : ` ${schema.items.type}s`
      : ` values, each ${describeSchema(schema.items)}`;
  return `a list${count === '' && items !== '' ? ' of' : count}${items}`;
}

function describeText(schema: Schema): string {
  const bounds: string[] = [];
  if (schema.minLength !== undefined) bounds.push(`at least ${schema.minLength} characters`);
  if (schema.maxLength !== undefined) bounds.push(`at most ${schema.maxLength} characters`);
  if (schema.pattern !== undefined) bounds.push(describePattern(schema.pattern));
  return bounds.length === 0 ? 'a string' : `a string of ${bounds.join(' and ')}`;
}

const SPECIMENS = ['1024x1024', '1024*1024', '16:9', '1280:720', '#a1b2c3', '5s', '5'];

/** Describes a pattern by an example, which is clearer than a regular expression. */
function describePattern(pattern: string): string {
  const expression = new RegExp(pattern, 'u');
  const specimen = SPECIMENS.find((text) => expression.test(text));
  return specimen === undefined ? `the form ${pattern}` : `a form such as "${specimen}"`;
}
