import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';

/** Types of the fields of `simulate`; the others are text. */
const SIMULATE_TYPES: Readonly<Record<string, unknown>> = { seconds: 'number', explain: 'boolean' };

/** Reads the values of a form as the types that the model's parameters have. */
export function typeFields(model: Model, body: JsonObject): JsonObject {
  const typed = typeValues(body, (name) => (model.parameters[name] as { readonly type?: unknown } | undefined)?.type);
  const { simulate } = body;
  if (typeof simulate !== 'object' || simulate === null || Array.isArray(simulate)) return typed;
  return { ...typed, simulate: typeValues(simulate as JsonObject, (name) => SIMULATE_TYPES[name]) };
}

function typeValues(fields: JsonObject, typeOf: (name: string) => unknown): JsonObject {
  const typed = Object.entries(fields).map(([name, value]): [string, JsonValue] => {
    const type = typeOf(name);
    const isNumber = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(String(value));
    if (isNumber) return [name, Number(value)];
    return [name, type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value];
  });
  return Object.fromEntries(typed);
}
