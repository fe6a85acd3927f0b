import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { usageFault } from './command-fault.ts';

/** What commander did not know: words that stand alone, and options that are fields of the model. */
export interface Words {
  readonly operands: readonly string[];
  /** Field -> its values in order; a field without one has none. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** The part of a parameter's JSON Schema that tells how a text is meant. */
export interface ParameterShape {
  readonly type?: string | readonly string[];
  readonly items?: ParameterShape;
  readonly anyOf?: readonly ParameterShape[];
}

/** Fields that every create takes besides the model's own. */
const SERVICE_FIELDS: Readonly<Record<string, ParameterShape>> = {
  metadata: { type: 'object' },
  simulate: { type: 'object' },
  num_images: { type: 'integer' },
};

/** Sorts `"a fox" --aspect-ratio 16:9 --seed=7` into words and fields; `--aspect-ratio` is the field `aspect_ratio`. */
export function sortWords(words: readonly string[]): Words {
  const operands: string[] = [];
  const fields = new Map<string, string[]>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const option = /^--([A-Za-z][A-Za-z0-9_-]*)(?:=([\s\S]*))?$/.exec(word);
    if (option === null) {
      if (/^-[A-Za-z]$/.test(word)) throw usageFault(`there is no option ${word}`);
      operands.push(word);
      continue;
    }
    const field = option[1]!.replaceAll('-', '_');
    const values = fields.get(field) ?? [];
    const next = words[index + 1];
    if (option[2] !== undefined) values.push(option[2]);
    else if (next !== undefined && !/^--?[A-Za-z]/.test(next)) {
      values.push(next);
      index++;
    }
    fields.set(field, values);
  }
  return { operands, fields };
}

/** The body's fields, each text in the type that its parameter has; a field that the model does not know goes out as text, and the service names it. */
export function typeFields(
  fields: Words['fields'],
  parameters: Readonly<Record<string, ParameterShape>>,
): { readonly [field: string]: JsonValue } {
  const body: [string, JsonValue][] = [];
  for (const [field, values] of fields) {
    const shape = SERVICE_FIELDS[field] ?? parameters[field] ?? {};
    body.push([field, typeField(field, values, shape)]);
  }
  return Object.fromEntries(body);
}

/** What a model takes of the fields given; asked only where there is something to type. */
export function needsTypes(fields: Words['fields']): boolean {
  return [...fields.keys()].some((field) => !(field in SERVICE_FIELDS));
}

function typeField(field: string, values: readonly string[], shape: ParameterShape): JsonValue {
  const types = typesOf(shape);
  const first = values[0];
  if (types.includes('array') && !first?.startsWith('[')) {
    return values.map((value) => typeValue(field, value, shape.items ?? {}));
  }
  if (values.length > 1) throw usageFault(`--${optionName(field)} takes one value, found ${values.length}`);
  if (first !== undefined) return typeValue(field, first, shape);
  if (types.includes('boolean')) return true;
  throw usageFault(`--${optionName(field)} needs a value`);
}

function typeValue(field: string, text: string, shape: ParameterShape): JsonValue {
  const types = typesOf(shape);
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if ((types.includes('object') && text.startsWith('{')) || (types.includes('array') && text.startsWith('['))) {
    return parseJson(field, text);
  }
  if (types.includes('object') && text.includes('=')) return parsePairs(field, text);
  return text;
}

function parseJson(field: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw usageFault(`--${optionName(field)}: expected JSON, found '${text}'`);
  }
}

/** `outcome=timeout,seconds=3`. What a caller names as it likes, such as metadata, is text. */
function parsePairs(field: string, text: string): JsonObject {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=').trim();
      return [name.trim(), field === 'simulate' ? typeWish(name.trim(), value) : value];
    }),
  );
}

function typeWish(name: string, value: string): JsonValue {
  if (name === 'seconds') return Number(value);
  return name === 'explain' && /^(true|false)$/.test(value) ? value === 'true' : value;
}

function typesOf(shape: ParameterShape): readonly string[] {
  const own = typeof shape.type === 'string' ? [shape.type] : (shape.type ?? []);
  return [...own, ...(shape.anyOf ?? []).flatMap(typesOf)];
}

function optionName(field: string): string {
  return field.replaceAll('_', '-');
}
