import type { Fault } from '@darkroom-service/contract';
import {
  ACTIONS,
  type ActionName,
  type CompiledModel,
  type CompiledParameter,
  type FieldConflict,
  type FieldLimit,
  type FieldSet,
  holdsVendorAddress,
  type MediaField,
  type MediaRole,
  type Model,
  type ParameterCheck,
  type Schema,
} from '@darkroom-service/contract/catalog';
import { imageRolesOf } from './image-roles.ts';
import { mediaFieldsOf } from './media-fields.ts';
import { compileCheck, compileDurationCheck } from './parameter-check.ts';
import { compileTextLimit } from './text-limit.ts';

export function compileModel(model: Pick<Model, 'actions' | 'limits' | 'parameters'>): CompiledModel {
  const actions = new Map<ActionName, FieldSet>();
  for (const action of model.actions) {
    const ofAction = ACTIONS[action].parameters as Readonly<Record<string, Schema>>;
    actions.set(
      action,
      compileFields(ofAction, { ...model.limits, mask_url: { ...model.limits.mask_url, role: 'mask' } }),
    );
  }
  const parameters = model.parameters as Readonly<Record<string, Schema>>;
  return {
    fields: compileFields(parameters, model.limits),
    actions,
    vendorAddresses: Object.keys(parameters).filter((name) => holdsVendorAddress(parameters[name] as Schema)),
    cheapest: new Map(),
    ordersAt: new Map(),
  };
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
    imageRoles: imageRolesOf(media),
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

const SAME_SIZE: readonly (readonly [string, readonly string[]])[] = [
  ['size', ['resolution', 'aspect_ratio', 'width', 'height']],
  ['width', ['resolution', 'aspect_ratio']],
  ['height', ['resolution', 'aspect_ratio']],
];

const SAME_FRAME: readonly (readonly [MediaRole, readonly MediaRole[]])[] = [
  ['first_frame', ['first_frame']],
  ['last_frame', ['last_frame']],
  ['first_and_last_frame', ['first_frame', 'last_frame']],
  ['mask', ['mask']],
];

/**
 * Returns the conflicts among these fields: exact pixels together with a tier or a ratio, or one frame given twice.
 * `size: "auto"` determines no size.
 */
function conflictsOf(names: readonly string[], media: readonly MediaField[]): FieldConflict[] {
  const conflicts: FieldConflict[] = [];
  for (const [name, others] of SAME_SIZE) {
    if (!names.includes(name)) continue;
    for (const other of others) if (names.includes(other)) conflicts.push({ name, other, what: 'the size' });
  }
  for (const [role, rivals] of SAME_FRAME) {
    for (const field of media) {
      if (field.role !== role) continue;
      for (const rival of media) {
        if (rival.name === field.name || !rivals.includes(rival.role)) continue;
        if (rival.role === field.role && rival.name > field.name) continue;
        conflicts.push({ name: field.name, other: rival.name, what: 'a frame' });
      }
    }
  }
  return conflicts;
}
