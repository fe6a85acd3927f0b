import { type JsonValue, LONGEST_TEXT } from '@darkroom-service/contract';
import {
  type Condition,
  type Constraint,
  type FieldLimit,
  type Model,
  type Schema,
  SIMULATED_OUTCOMES,
} from '@darkroom-service/contract/catalog';
import { conditionSchema, presentSchema } from './condition-schema.ts';
import { requiredWithRoles, roleProperties, roleRules, withoutRoles } from './role-schema.ts';
import { toolInput } from './tool-models.ts';

type Json = { [keyword: string]: unknown };

/** Maximum lengths that the service accepts in any body: characters of a data URI, and items of a list. */
const LONGEST_DATA_URI = 32_000_000;
const MOST_ITEMS = 2_000;
const LONGEST_SOURCE = 4_096;

/** Fields that every create accepts besides the model's own. */
const SERVICE_FIELDS: Readonly<Record<string, Json>> = {
  metadata: {
    type: 'object',
    maxProperties: 16,
    propertyNames: { maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
    description: 'Up to 16 pairs of your own, echoed with the task.',
  },
  end_user: { type: 'string', maxLength: 128, description: 'Your own customer.' },
  webhook_url: { type: 'string', format: 'uri', maxLength: 4_096, description: 'Told when the task is final.' },
  deliver_to: {
    type: 'object',
    maxProperties: 1,
    properties: {
      url: { type: 'string', maxLength: 4_096 },
      urls: { type: 'array', maxItems: 16, items: { type: 'string', maxLength: 4_096 } },
      destination: { type: 'string', maxLength: 40 },
    },
    additionalProperties: false,
    description: 'Where the outputs are copied to.',
  },
  max_price: {
    type: ['string', 'number'],
    maxLength: 64,
    description: 'The order is refused when it costs more (US dollars).',
  },
  allow_dearer: {
    type: 'boolean',
    description: 'The order may go to dearer routes, up to max_price, if no cheaper one is ready.',
  },
  fallback_models: {
    type: 'array',
    maxItems: 4,
    items: { type: 'string', maxLength: 128 },
    description: 'Further models, to which the order goes on if no upstream takes it for the one before.',
  },
  fallback_on_content_policy: {
    type: 'boolean',
    description: 'The order also goes on to its next model when an upstream refuses its content.',
  },
  simulate: {
    type: 'object',
    properties: {
      seconds: { type: 'number', minimum: 0, maximum: 3600 },
      outcome: {
        enum: SIMULATED_OUTCOMES,
      },
      explain: { type: 'boolean' },
    },
    additionalProperties: false,
    description: 'With a test key: how the order ends, and whether its output tells what was understood.',
  },
};

/** Maximum number of names in an open object, as the service enforces it on every body. */
const MOST_NAMES = 256;

/**
 * Returns a JSON Schema (2020-12) for a create's body: required fields, and which fields go together. It is never
 * stricter than the service. The service alone checks what a schema cannot express: case-insensitive enums, sizes,
 * sums.
 * @param added the fields of additions, which every model accepts
 */
export function inputSchema(model: Model, added: ReadonlyMap<string, { readonly schema: Schema }> = new Map()): object {
  const properties: Record<string, Json> = {
    model_id: { enum: [model.model_id, ...model.aliases], description: 'The model.' },
  };
  for (const [name, parameter] of Object.entries(model.parameters)) {
    properties[name] = propertySchema(name, parameter as Schema, model.limits[name] ?? {});
  }
  const plainImages = properties.image_urls;
  for (const [name, schema] of Object.entries(roleProperties(model))) properties[name] = bound(schema);
  for (const [name, { schema }] of added) properties[name] = propertySchema(name, schema, {});
  if (model.as_action !== undefined) Object.assign(properties, toolFields(model.as_action));
  const required = requiredSchema(model);
  const together = [
    ...roleRules(model, plainImages),
    ...model.constraints.map((constraint) => constraintSchema(model, constraint)),
    ...conflictSchemas(model),
  ].filter((schema) => schema !== null);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: model.name,
    description: model.description,
    type: 'object',
    properties: { ...properties, ...SERVICE_FIELDS },
    required: ['model_id'],
    ...(required === null ? {} : required),
    ...(together.length === 0 ? {} : { allOf: together }),
    additionalProperties: false,
  };
}

/** Returns the fields with which an order names a tool and its medium, instead of the tool's own. */
function toolFields(action: string): Record<string, Json> {
  return {
    source: {
      type: 'string',
      maxLength: LONGEST_SOURCE,
      description: 'The image or video of your own that the tool works on, task:<task_id> or upload:<file_id>.',
    },
    action: { enum: [action], description: 'With source: the action of this tool.' },
  };
}

function propertySchema(name: string, schema: Schema, limit: FieldLimit): Json {
  const {
    default: standard = null,
    description,
    title,
    ...rest
  } = closeObjects(schema) as Schema & { description?: string; title?: string };
  const bounded: Json = { ...rest, ...limitSchema(schema, limit) };
  const limited = schema.type === 'object' ? { maxProperties: MOST_NAMES, ...bounded } : bounded;
  const taken = name === 'duration' ? withNumericText(limited, schema) : limited;
  const texts = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  return { ...withNull(bound(taken)), ...texts, default: standard };
}

/** Adds the limits that the service applies to every body where the model sets none. */
function bound(schema: Json): Json {
  const inner = (value: unknown) => bound(value as Json);
  const bounded: Json = { ...schema };
  if (schema.type === 'string' && schema.enum === undefined)
    bounded.maxLength ??= schema.format === 'uri' ? LONGEST_DATA_URI : LONGEST_TEXT;
  if (schema.type === 'array') bounded.maxItems ??= MOST_ITEMS;
  for (const [name, value] of Object.entries((schema.properties ?? {}) as Json))
    bounded.properties = { ...(bounded.properties as Json), [name]: inner(value) };
  if (schema.items !== undefined) bounded.items = inner(schema.items);
  for (const list of ['prefixItems', 'anyOf']) if (Array.isArray(schema[list])) bounded[list] = schema[list].map(inner);
  return bounded;
}

function limitSchema(schema: Schema, limit: FieldLimit): Json {
  if (schema.type === 'array' && limit.unit === undefined) {
    return {
      ...(limit.max === undefined ? {} : { maxItems: Math.min(limit.max, schema.maxItems ?? limit.max) }),
      ...(limit.min === undefined ? {} : { minItems: Math.max(limit.min, schema.minItems ?? limit.min) }),
    };
  }
  if (schema.type !== 'string' || schema.enum !== undefined || schema.format !== undefined || limit.max === undefined)
    return {};
  return limit.unit === undefined || limit.unit === 'characters'
    ? { maxLength: Math.min(limit.max, schema.maxLength ?? limit.max) }
    : {};
}

/** Disallows unknown fields in objects, as the service does. */
function closeObjects(schema: Schema): Schema {
  const closed: Json = { ...schema };
  if (schema.properties !== undefined) {
    closed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, closeObjects(inner)]),
    );
    closed.additionalProperties = schema.additionalProperties === true;
  }
  if (schema.items !== undefined) closed.items = closeObjects(schema.items);
  if (schema.prefixItems !== undefined) closed.prefixItems = schema.prefixItems.map(closeObjects);
  return closed as Schema;
}

/** Allows `duration` as a number or a numeric string. */
function withNumericText(taken: Json, schema: Schema): Json {
  const listed = schema.enum?.flatMap(otherSpelling);
  const other =
    listed === undefined
      ? { type: schema.type === 'string' ? 'number' : 'string', pattern: '^-?\\d+(\\.\\d+)?$' }
      : { enum: listed };
  return listed?.length === 0 ? taken : { anyOf: [taken, other] };
}

function otherSpelling(value: JsonValue): JsonValue[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' && /^\d+s?$/.test(value) ? [Number.parseInt(value, 10)] : [];
}

function withNull(taken: Json): Json {
  if (Array.isArray(taken.enum)) return { ...taken, type: [taken.type, 'null'], enum: [...taken.enum, null] };
  if (typeof taken.type === 'string' && taken.anyOf === undefined) return { ...taken, type: [taken.type, 'null'] };
  return { anyOf: [taken, { type: 'null' }] };
}

function requiredSchema(model: Model): Json | null {
  if (model.required.length === 0) return null;
  const input = model.as_action === undefined ? undefined : toolInput(model)?.name;
  const bySource = model.required.filter((list) => input !== undefined && list.includes(input));
  const alternatives = [
    ...model.required,
    ...model.required.map((list) => requiredWithRoles(model, list)).filter((list) => list !== null),
    ...bySource.map((list) => list.map((name) => (name === input ? 'source' : name))),
  ];
  const lists = alternatives.map((list) => ({
    required: list,
    properties: Object.fromEntries(
      list.map((name) => [
        name,
        name === 'prompt' ? { type: 'string', maxLength: LONGEST_TEXT, pattern: '\\S' } : presentSchema(null),
      ]),
    ),
  }));
  return { anyOf: lists };
}

/** Returns null if the constraint uses derived values, which only the service computes. */
function constraintSchema(model: Model, constraint: Constraint): Json | null {
  const when = togetherSchema(model, constraint.when ?? {}, false);
  const then = togetherSchema(model, constraint.then, true);
  if (when === null || then === null) return null;
  const rule =
    Object.keys(constraint.when ?? {}).length === 0
      ? { ...then, description: constraint.message }
      : { if: when, then, description: constraint.message };
  return withoutRoles(model, [...Object.keys(constraint.when ?? {}), ...Object.keys(constraint.then)], rule);
}

function togetherSchema(model: Model, conditions: Readonly<Record<string, Condition>>, demanded: boolean): Json | null {
  const defaults = model.compiled.fields.defaults;
  const parts: Json[] = [];
  for (const [name, condition] of Object.entries(conditions)) {
    if (!Object.hasOwn(defaults, name)) return null;
    parts.push(conditionSchema(name, condition, (defaults[name] ?? null) as JsonValue, demanded));
  }
  return parts.length === 1 ? (parts[0] as Json) : { allOf: parts };
}

/** Disallows sending two fields that conflict. */
function conflictSchemas(model: Model): Json[] {
  const { defaults, conflicts } = model.compiled.fields;
  const sent = (name: string) => conditionSchema(name, { present: true }, defaults[name] ?? null, false);
  return conflicts.map(({ name, other, what }) => {
    const real = what === 'the size' ? [{ properties: { [name]: { not: { const: 'auto' } } } }] : [];
    return withoutRoles(model, [name, other], { not: { allOf: [sent(name), ...real, sent(other)] } });
  });
}
