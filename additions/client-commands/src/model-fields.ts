import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { usageFault } from '@darkroom-service/darkroom/kernel-cli';

/** Arguments that commander did not recognize: operands, and options that are fields of the model. */
export interface Words {
  readonly operands: readonly string[];
  /** Field -> its values in order; empty for a field without a value. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** The part of a parameter's JSON Schema that determines how text is converted. */
export interface ParameterShape {
  readonly type?: string | readonly string[];
  readonly items?: ParameterShape;
  readonly anyOf?: readonly ParameterShape[];
}

/** Fields that every create accepts besides the model's own. */
const SERVICE_FIELDS: Readonly<Record<string, ParameterShape>> = {
  metadata: { type: 'object' },
  simulate: { type: 'object' },
  deliver_to: { type: 'object' },
  num_images: { type: 'integer' },
  image_roles: { type: 'array', items: { type: 'string' } },
  allow_dearer: { type: 'boolean' },
  fallback_models: { type: 'array', items: { type: 'string' } },
  fallback_on_content_policy: { type: 'boolean' },
};

const PAIRS: Readonly<Record<string, string>> = {
  metadata: 'order=42,shop=7',
  simulate: 'outcome=timeout,seconds=3',
};

/**
 * Splits `"a fox" --aspect-ratio 16:9 --seed=7` into operands and fields; `--aspect-ratio` is the field `aspect_ratio`.
 */
export function sortWords(words: readonly string[]): Words {
  const operands: string[] = [];
  const fields = new Map<string, string[]>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const option = /^--([A-Za-z][A-Za-z0-9_-]*)(?:=([\s\S]*))?$/.exec(word);
    if (option === null) {
      if (/^-[A-Za-z]$/.test(word)) throw usageFault(`There is no option ${word}.`);
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

/** Converts each field's text to its parameter's type. An unknown field is sent as text, and the service reports it. */
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

/** Tells whether the model's parameters are needed to convert the fields. */
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
  if (field === 'deliver_to') return text.includes('://') ? { url: text } : { destination: text };
  if (types.includes('object') && text.includes('=')) return parsePairs(field, text);
  if (field in SERVICE_FIELDS && types.includes('object'))
    throw usageFault(`--${optionName(field)}: expected pairs such as ${PAIRS[field]}, found '${text}'`);
  return text;
}

function parseJson(field: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw usageFault(`--${optionName(field)}: expected JSON, found '${text}'`);
  }
}

/** Parses `outcome=timeout,seconds=3`. Values of free-form objects, such as metadata, stay text. */
function parsePairs(field: string, text: string): JsonObject {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=').trim();
      return [name.trim(), field === 'simulate' ? typeSimulateValue(name.trim(), value) : value];
    }),
  );
}

function typeSimulateValue(name: string, value: string): JsonValue {
  if (name === 'seconds') return parseSeconds(value);
  return name === 'explain' && /^(true|false)$/.test(value) ? value === 'true' : value;
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw usageFault(`--simulate: expected a number of seconds such as seconds=3, found '${text}'`);
}

function typesOf(shape: ParameterShape): readonly string[] {
  const own = typeof shape.type === 'string' ? [shape.type] : (shape.type ?? []);
  return [...own, ...(shape.anyOf ?? []).flatMap(typesOf)];
}

/** Returns the option that sets a field, without its dashes. */
export function optionName(field: string): string {
  return field.replaceAll('_', '-');
}
