import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  boundaryValues,
  type Condition,
  type Model,
  type Schema,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { faultsOfLanes } from './batch-lane.ts';
import { checkParameters } from './check-parameters.ts';
import { checkPrices } from './check-prices.ts';
import { checkRoutes } from './check-routes.ts';
import { checkSizing } from './check-sizing.ts';
import { DERIVED_NAMES, derivedNamesOf, MODES } from './derive.ts';
import { resolveRequest } from './resolve-request.ts';
import { toolInput } from './tool-models.ts';

export interface CatalogEntryFault {
  readonly file: string;
  /** `model_id`; null for the file as a whole. */
  readonly entry: string | null;
  readonly message: string;
}

export interface LocatedModel {
  readonly file: string;
  readonly model: Model;
  /** Whether the entry is known to have no faults. Models are frozen, so this cannot change. */
  isFaultless: boolean;
}

/** Checks the rules that the schema of an entry cannot express. Returns every fault of every entry. */
export function checkEntries(located: readonly LocatedModel[]): CatalogEntryFault[] {
  const faults: CatalogEntryFault[] = [];
  for (const one of located) {
    if (one.isFaultless) continue;
    const { file, model } = one;
    const messages = checkEntry(model);
    one.isFaultless = messages.length === 0;
    for (const message of messages) faults.push({ file, entry: model.model_id, message });
  }
  return [...faults, ...checkNames(located)];
}

/** Returns the faults of one entry, as sentences. */
export function checkEntry(model: Model): string[] {
  const shape = checkParameters(model);
  if (shape.length > 0) return shape;
  return [
    ...checkReferences(model),
    ...checkSizing(model),
    ...checkPrices(model),
    ...checkActions(model),
    ...checkLength(model),
    ...checkRoutes(model),
    ...faultsOfLanes(model),
    ...checkDefaults(model),
  ];
}

function checkNames(located: readonly LocatedModel[]): CatalogEntryFault[] {
  const faults: CatalogEntryFault[] = [];
  const owners = new Map(located.map(({ model }) => [model.model_id, model.model_id]));
  for (const { file, model } of located) {
    const entry = model.model_id;
    for (const alias of model.aliases) {
      const owner = owners.get(alias);
      if (owner !== undefined)
        faults.push({ file, entry, message: `the alias ${alias} is already a name of ${owner}` });
      owners.set(alias, entry);
    }
  }
  for (const { file, model } of located) {
    const entry = model.model_id;
    if (model.replaced_by !== null && !owners.has(model.replaced_by)) {
      faults.push({ file, entry, message: `replaced_by names ${model.replaced_by}, which the catalog does not have` });
    }
    // A model that has just ended by its date was faultless the day before.
    if (model.status === 'retired' && model.sunset_at === null && model.replaced_by === null) {
      faults.push({ file, entry, message: 'a retired model needs replaced_by, so that callers are told where to go' });
    }
    for (const [path, ends] of [
      ['', model] as const,
      ...model.routes.map((route, at) => [`routes[${at}].`, route] as const),
    ]) {
      for (const field of ['deprecated_at', 'sunset_at'] as const) {
        const time = ends[field] ?? null;
        if (time !== null && Number.isNaN(Date.parse(time)))
          faults.push({ file, entry, message: `${path}${field} must be an ISO 8601 time; found "${time}"` });
      }
    }
  }
  return faults;
}

/**
 * Checks that every name the entry refers to is a parameter or a derived value, and that every listed value is
 * possible.
 */
function checkReferences(model: Model): string[] {
  const { fields: set } = model.compiled;
  const faults: string[] = [];
  const known = derivedNamesOf(set.lists);
  const isKnown = (name: string) => set.parameters.has(name) || known.has(name);
  for (const name of DERIVED_NAMES) {
    if (set.parameters.has(name) && name !== 'width' && name !== 'height')
      faults.push(`parameters.${name} has the name of a derived value; name it otherwise`);
  }
  for (const list of model.required) {
    for (const name of list)
      if (!set.parameters.has(name)) faults.push(`required names ${name}, which is no parameter`);
  }
  for (const name of Object.keys(model.limits)) {
    if (!set.parameters.has(name) && name !== 'mask_url') faults.push(`limits names ${name}, which is no parameter`);
  }
  const paths: [string, Readonly<Record<string, Condition>>][] = [];
  model.constraints.forEach((constraint, index) => {
    paths.push([`constraints[${index}].when`, constraint.when ?? {}], [`constraints[${index}].then`, constraint.then]);
  });
  model.pricing.components.forEach((component, index) => {
    paths.push([`pricing.components[${index}].when`, component.when ?? {}]);
  });
  model.output?.as_long_as?.forEach(({ when = {} }, index) => {
    paths.push([`output.as_long_as[${index}].when`, when]);
  });
  model.routes.forEach((route, index) => {
    paths.push([`routes[${index}].when`, route.when ?? {}]);
    statedCost(route)?.components.forEach((component, at) => {
      paths.push([`routes[${index}].cost.components[${at}].when`, component.when ?? {}]);
    });
  });
  for (const [path, conditions] of paths) {
    for (const [name, condition] of Object.entries(conditions)) {
      if (!isKnown(name)) faults.push(`${path} names ${name}, which is neither a parameter nor a derived value`);
      else faults.push(...checkValues(model, `${path}.${name}`, name, condition));
    }
  }
  return faults;
}

/** A value that a parameter can never have is a typing error. */
function checkValues(model: Model, path: string, name: string, condition: Condition): string[] {
  if (typeof condition === 'object' && !Array.isArray(condition) && !('not' in condition)) return [];
  const schema = model.parameters[name] as Schema | undefined;
  const named = boundaryValues(condition);
  const allowed: readonly JsonValue[] | null =
    schema === undefined
      ? name === 'mode'
        ? MODES
        : name === 'action'
          ? ['create', ...model.actions]
          : null
      : (schema.enum ?? null);
  if (allowed !== null) {
    return named
      .filter((value) => !allowed.includes(value))
      .map((value) => `${path}: ${JSON.stringify(value)} is none of its values (${allowed.join(', ')})`);
  }
  if (schema?.type === 'boolean')
    return named
      .filter((value) => typeof value !== 'boolean')
      .map((value) => `${path}: ${JSON.stringify(value)} is neither true nor false`);
  return [];
}

function checkActions(model: Model): string[] {
  const faults: string[] = [];
  const hasFeature = model.supported_features.includes('follow_up_actions');
  if (model.actions.length > 0 && model.type === 'video') faults.push('actions are for image models');
  if (model.as_action !== undefined && toolInput(model) === null)
    faults.push('as_action needs a parameter for an image or a video');
  if (model.actions.length > 0 !== hasFeature) faults.push('actions and the feature follow_up_actions go together');
  return faults;
}

/** Checks that the media which determine the length of a video exist, and that their limits bound it. */
function checkLength({ type, output, parameters, limits, compiled }: Model): string[] {
  const rules = output?.as_long_as ?? [];
  if (rules.length === 0) return [];
  const faults: string[] = [];
  if (type === 'image') faults.push('output.as_long_as is for videos');
  if (parameters.duration !== undefined) faults.push('output.as_long_as and the parameter duration exclude each other');
  for (const field of new Set(rules.flatMap(({ fields }) => fields))) {
    const media = compiled.fields.media.find(({ name }) => name === field);
    if (media === undefined || media.kind === 'image')
      faults.push(`output.as_long_as names ${field}, which is neither a video nor a sound`);
    else if (limits[field]?.max_seconds === undefined)
      faults.push(`output.as_long_as names ${field}, which needs limits.${field}.max_seconds`);
  }
  return faults;
}

/** Checks that `{ ...default_config, prompt }` is valid: each default by its own schema, and all together. */
function checkDefaults(model: Model): string[] {
  const { fields: set } = model.compiled;
  const body: Record<string, JsonValue> = { ...set.defaults };
  if (set.parameters.has('prompt')) body.prompt ??= 'a fox';
  const found = resolveRequest(model, body as JsonObject, { purpose: 'quote' });
  return found.ok ? [] : found.faults.map((fault) => `the defaults are no valid request: ${fault.message}`);
}
