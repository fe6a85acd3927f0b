import type { Fault, JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Schema } from '@darkroom-service/contract/catalog';
import { compileCheck } from '../catalog/parameter-check.ts';
import type { AddedFields } from '../tasks/task-services.ts';

/** Prepares the checks of fields that additions add to orders. */
export function compileFields(schemas: Readonly<Record<string, Schema>>): AddedFields {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, { schema, check: compileCheck(schema) }]));
}

/** Takes the fields of additions out of a body, and adds their faults. Null = not sent. */
export function takeAddedFields(
  fields: AddedFields,
  body: JsonObject,
  faults: Fault[],
): { readonly added: JsonObject; readonly rest: JsonObject } {
  if (fields.size === 0) return { added: {}, rest: body };
  const added: [string, JsonValue][] = [];
  const rest: [string, JsonValue | undefined][] = [];
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    if (field === undefined) rest.push([name, value]);
    else if (value !== undefined && value !== null) added.push([name, field.check(value, name, faults)]);
  }
  return { added: Object.fromEntries(added), rest: Object.fromEntries(rest) as JsonObject };
}
