import type { JsonValue } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import { ACTIONS, type ActionName } from './actions.ts';
import { conflictsOf, type FieldConflict } from './conflicting-fields.ts';
import type { ListField } from './derive.ts';
import type { Schema } from './describe-schema.ts';
import type { FieldLimit } from './entry-schema.ts';
import { type MediaField, mediaFieldsOf } from './media-fields.ts';
import type { Model } from './model.ts';
import { compileCheck, compileDurationCheck } from './parameter-check.ts';
import type { ParameterCheck } from './scalar-checks.ts';
import { compileTextLimit } from './text-limit.ts';
import { isVendorAddress } from './vendor-address.ts';

/** Data computed once per model, so that a request needs only look-ups and comparisons. */
interface CompiledModel {
  readonly fields: FieldSet;
  readonly actions: ReadonlyMap<ActionName, FieldSet>;
  /** The parameters whose value is an address that the vendor reads. */
  readonly vendorAddresses: readonly string[];
}

/** The parameters of a create, or of an action. */
export interface FieldSet {
  readonly parameters: ReadonlyMap<string, CompiledParameter>;
  /** The values of an empty request. */
  readonly defaults: Readonly<Record<string, JsonValue>>;
  readonly media: readonly MediaField[];
  readonly lists: readonly ListField[];
  readonly conflicts: readonly FieldConflict[];
  /** For messages: the names, joined by commas. */
  readonly names: string;
}

interface CompiledParameter {
  readonly name: string;
  readonly default: JsonValue;
  readonly check: ParameterCheck;
}

/**
 * Compiled at a model's first request, since compiling the whole catalog at load would slow every start. Kept beside
 * the model instead of in it: a model is plain data, which is copied, compared and sent as JSON.
 */
const compiled = new WeakMap<Model, CompiledModel>();

export function compileModel(model: Model): CompiledModel {
  const known = compiled.get(model);
  if (known !== undefined) return known;
  const actions = new Map<ActionName, FieldSet>();
  for (const action of model.actions) {
    const ofAction = ACTIONS[action].parameters as Readonly<Record<string, Schema>>;
    actions.set(
      action,
      compileFields(ofAction, { ...model.limits, mask_url: { ...model.limits.mask_url, role: 'mask' } }),
    );
  }
  const parameters = model.parameters as Readonly<Record<string, Schema>>;
  const fresh = {
    fields: compileFields(parameters, model.limits),
    actions,
    vendorAddresses: Object.keys(parameters).filter((name) => isVendorAddress(parameters[name] as Schema)),
  };
  compiled.set(model, fresh);
  return fresh;
}

function compileFields(
  schemas: Readonly<Record<string, Schema>>,
  limits: Readonly<Record<string, FieldLimit>>,
): FieldSet {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, withMediaKind(name, schema)] as const);
  const parameters = new Map(
    entries.map(([name, schema]) => [name, compileParameter(name, schema, limits[name] ?? {})]),
  );
  const lists = entries.filter(([, schema]) => schema.type === 'array');
  const media = mediaFieldsOf({
    parameters: Object.fromEntries(entries) as unknown as Model['parameters'],
    limits,
  });
  return {
    parameters,
    defaults: Object.fromEntries(entries.map(([name, schema]) => [name, schema.default ?? null])),
    media,
    lists: lists.map(([name, schema]) => ({
      name,
      countName: `${name}_count`,
      timed: schema.items?.properties?.duration !== undefined,
    })),
    conflicts: conflictsOf([...parameters.keys()], media),
    names: [...parameters.keys()].join(', '),
  };
}

/** Treats the mask of an action as a picture. */
function withMediaKind(name: string, schema: Schema): Schema {
  return name === 'mask_url' && schema['x-media'] === undefined ? { ...schema, 'x-media': 'image' } : schema;
}

function compileParameter(name: string, schema: Schema, limit: FieldLimit): CompiledParameter {
  const bounded = schema.type === 'array' && limit.unit === undefined ? withCounts(schema, limit) : schema;
  const check = name === 'duration' ? compileDurationCheck(bounded) : compileCheck(bounded);
  const isText =
    schema.type === 'string' && schema.enum === undefined && schema.anyOf === undefined && schema.format === undefined;
  const checkLimit = isText ? compileTextLimit(limit) : null;
  return { name, default: schema.default ?? null, check: checkLimit === null ? check : both(check, checkLimit) };
}

function withCounts(schema: Schema, limit: FieldLimit): Schema {
  return {
    ...schema,
    ...(limit.max === undefined ? {} : { maxItems: Math.min(limit.max, schema.maxItems ?? limit.max) }),
    ...(limit.min === undefined ? {} : { minItems: Math.max(limit.min, schema.minItems ?? limit.min) }),
  };
}

function both(
  check: ParameterCheck,
  checkLimit: (text: string, path: string, faults: Fault[]) => void,
): ParameterCheck {
  return function checkText(value, path, faults) {
    const read = check(value, path, faults);
    if (typeof read === 'string') checkLimit(read, path, faults);
    return read;
  };
}
