import type { Random } from '../chaos/random.ts';
import type { JsonSchema } from '../helpers/json-schema.ts';

const WORDS = [
  'a',
  'fox',
  'b b',
  '0',
  '5.00',
  '2026-11-20T00:00:00Z',
  'sketch',
  'default',
  'succeeded',
  '1:1',
  '1K',
  'ä😀',
];
/** Strings that have broken services before. */
const HOSTILE_STRINGS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '../../etc/passwd',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  '%00',
  '%2e%2e%2f',
  '{{7*7}}',
  '-1',
  '1e999',
  'NaN',
  'null',
  'http://169.254.169.254/latest',
  'data:,',
  'task:img_00000000000000000000000000',
  'upload:file_0',
  'x'.repeat(70_000),
];
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  -1e308,
  1e308,
  [],
  {},
  [[]],
  [null],
  { a: {} },
];

/** A value that the schema allows, as far as its keywords tell; optional properties are there by chance. */
export function validValue(schema: JsonSchema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return validValue(random.pick(choices), random);
  if (schema.default !== undefined && random.chance(0.3)) return schema.default;
  const type = Array.isArray(schema.type) ? random.pick(schema.type as readonly string[]) : schema.type;
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1e6));
    case 'number':
      return (schema.minimum ?? 0) + random.next() * (Math.min(schema.maximum ?? 10, 1e6) - (schema.minimum ?? 0));
    case 'array': {
      const length = random.between(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 4));
      return Array.from({ length }, () => validValue(schema.items ?? { type: 'string' }, random));
    }
    case 'object':
      return validObject(schema, random);
    default:
      return random.pick(WORDS).slice(0, schema.maxLength);
  }
}

function validObject(schema: JsonSchema, random: Random): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name) === true || random.chance(0.25))
    .map(([name, property]): [string, unknown] => [name, validValue(property, random)]);
  return Object.fromEntries(entries);
}

/** Returns a value that no schema expects. */
export function hostileValue(random: Random): unknown {
  return random.chance(0.5) ? random.pick(HOSTILE_STRINGS) : random.pick(HOSTILE_VALUES);
}

export function hostileString(random: Random): string {
  return random.pick(HOSTILE_STRINGS);
}

/** Returns a copy of an object with one change: a value, a name, a missing or an additional field. */
export function spoil(body: Readonly<Record<string, unknown>>, random: Random): Record<string, unknown> {
  const names = Object.keys(body);
  const name = names.length === 0 ? 'x' : random.pick(names);
  const { [name]: value, ...others } = body;
  switch (random.between(0, 3)) {
    case 0:
      return { ...body, [name]: hostileValue(random) };
    case 1:
      return others;
    case 2:
      return { ...body, [hostileString(random).slice(0, 200)]: hostileValue(random) };
    default:
      return { ...others, [`${name}s`]: value };
  }
}
