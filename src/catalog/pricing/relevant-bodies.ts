import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  boundaryValues,
  type Condition,
  countedUnit,
  isPresent,
  isVendorAddress,
  type Model,
  meets,
  type PriceComponent,
  type Schema,
} from '@darkroom-service/contract/catalog';
import { hasBatchLane, SPEED } from '../batch-lane.ts';
import { hasConflict } from '../check-request.ts';
import { mediaFieldsOf } from '../media-fields.ts';

/** The maximum number of combinations; no shipped model comes near it. */
const MOST_COMBINATIONS = 20_000;
const SIZE_FIELDS = ['resolution', 'aspect_ratio', 'size', 'width', 'height'];
const SIZE_FACTS = ['width', 'height', 'output_pixels', 'output_megapixels', 'aspect', 'aspect_long'];
/** Sizes to try: squares, and the smallest of a GPT Image model, whose narrow pictures have fewer tokens. */
const SMALL_SIZES = ['1408x480', '512x512', '768x768', '1024x1024', '1280x1280', '2048x2048'];
const LENGTHS = ['duration', 'output_seconds'];
const COUNT = '_count';
/** Placeholder for any medium in the bodies with which prices are tried. */
export const ANY_UPLOAD = 'upload:any';
const ANY_ADDRESS = 'https://example.com/any';

type Conditions = Readonly<Record<string, Condition>>;

/** The model and the prices and conditions that the tried values can affect. */
interface Scope {
  readonly model: Model;
  readonly components: readonly PriceComponent[];
  readonly units: ReadonlySet<PriceComponent['per']>;
  /** The conditions of the route. */
  readonly when: Conditions;
  /** All conditions: of prices, of the route and of the model's constraints. */
  readonly conditions: readonly Conditions[];
  /** Whether a price list has a minimum amount, below which it does not grow with the order. */
  readonly hasMinimum: boolean;
}

/** The costs of a route and the conditions of its orders. */
interface RouteTerms {
  readonly components: readonly PriceComponent[];
  readonly minimum?: string | undefined;
  readonly when?: Conditions;
}

/**
 * Yields a body for every combination of values that affect the price, except ones with conflicting fields. Not all of
 * them are valid.
 * @param route adds the values that affect its cost, or determine whether it takes an order
 */
export function* priceRelevantBodies(
  model: Model,
  route: RouteTerms = { components: [] },
  most: number = MOST_COMBINATIONS,
): Generator<JsonObject> {
  const choices = relevantChoices(model, route);
  const total = choices.reduce((product, [, values]) => product * values.length, 1);
  for (let place = 0; place < Math.min(total, most); place++) {
    const body: Record<string, JsonValue> = {};
    let rest = place;
    for (const [name, values] of choices) {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      if (value !== undefined) body[name] = value;
    }
    // Skips two fifths of all, which are impossible; resolving one takes longer than this check.
    if (!hasConflict(model.compiled.fields, body)) yield body;
  }
}

/**
 * Returns each field's values that can affect the price, if the route takes them; `undefined` = not sent. The default
 * is only tried as `undefined`: sending it orders the same, and each further value multiplies the bodies.
 */
function relevantChoices(
  model: Model,
  { minimum = model.pricing.minimum, when = {}, ...route }: RouteTerms,
): [string, (JsonValue | undefined)[]][] {
  const components = [...model.pricing.components, ...route.components];
  const conditions = [...components.map((component) => component.when ?? {}), when];
  const units = new Set(components.map(countedUnit));
  const names = new Set(conditions.flatMap((condition) => Object.keys(condition)));
  // The batch lane has its own routes.
  if (hasBatchLane(model) && when[SPEED] === undefined) names.delete(SPEED);
  if ([...units].some((unit) => unit.endsWith('output_second')) || names.has('output_seconds')) names.add('duration');
  if (units.has('output_megapixel') || SIZE_FACTS.some((name) => names.has(name)))
    for (const name of SIZE_FIELDS) names.add(name);
  const counted = [...names].filter((name) => name.endsWith(COUNT));
  for (const name of counted) names.add(name.slice(0, -COUNT.length));
  const isByMedia =
    names.has('mode') ||
    names.has('video_input') ||
    counted.length > 0 ||
    [...units].some((unit) => unit.startsWith('input_'));
  if (isByMedia) for (const { name } of mediaFieldsOf(model)) names.add(name);
  // Every order has a prompt, see `withPrompt`.
  names.delete('prompt');
  const constraints = model.constraints.flatMap((one) => [one.when ?? {}, one.then]);
  const all = [...conditions, ...constraints];
  const scope: Scope = { model, components, units, when, conditions: all, hasMinimum: minimum !== undefined };
  return [...names].flatMap((name): [string, (JsonValue | undefined)[]][] => {
    const schema = model.parameters[name] as Schema | undefined;
    if (schema === undefined) return [];
    const values = schema.type === 'array' ? listsOf(scope, name, schema) : valuesOf(scope, name, schema);
    const { default: unsent = null } = schema;
    const choices = [undefined, ...values.filter((value) => value !== unsent)];
    return [[name, choices.filter((value) => isTaken(when[name], value ?? unsent))]];
  });
}

function isTaken(condition: Condition | undefined, value: JsonValue): boolean {
  return condition === undefined || meets(condition, value, isPresent(value));
}

function valuesOf(scope: Scope, name: string, schema: Schema): JsonValue[] {
  if (schema.format === 'uri') return [simplestOf(schema)];
  const values = new Set<JsonValue>(withoutBetween(scope, name, schema.enum ?? []));
  for (const option of schema.anyOf ?? []) for (const value of valuesOf(scope, name, option)) values.add(value);
  if (schema.type === 'boolean') for (const value of [true, false]) values.add(value);
  for (const bound of [schema.minimum, schema.maximum]) if (bound !== undefined) values.add(bound);
  const whole = schema.type === 'integer' || schema.type === 'number';
  if (schema.enum === undefined)
    for (const value of namedValues(scope, name)) if (!whole || Number.isInteger(value)) values.add(value);
  if (name === 'size' && schema.enum === undefined) for (const size of SMALL_SIZES) values.add(size);
  return [...values];
}

/**
 * Leaves out the lengths between the shortest two, of which one may mean "any", and the longest. If only the seconds
 * depend on the length, price and cost grow linearly, so that no order in between loses more than both ends.
 */
function withoutBetween(scope: Scope, name: string, values: readonly JsonValue[]): readonly JsonValue[] {
  const { components, conditions, hasMinimum } = scope;
  const isUneven =
    hasMinimum ||
    components.some(({ units, at_least }) => units !== undefined || at_least !== undefined) ||
    conditions.some((condition) => LENGTHS.some((length) => condition[length] !== undefined));
  const numbers = values.filter((value) => typeof value === 'number').sort((one, other) => one - other);
  if (name !== 'duration' || isUneven) return values;
  const between = new Set<JsonValue>(numbers.slice(2, -1));
  return values.filter((value) => !between.has(value));
}

/** Returns lists with the fewest and the most items, and with the item counts that a price or a condition names. */
function listsOf(scope: Scope, name: string, schema: Schema): JsonValue[] {
  const { min = 1, max = Number.POSITIVE_INFINITY, role } = scope.model.limits[name] ?? {};
  const fewest = Math.max(1, min, schema.minItems ?? 1);
  const most = Math.min(max, schema.maxItems ?? fewest);
  const counts = new Set<JsonValue>([fewest]);
  if (role === 'first_and_last_frame') counts.add(2);
  for (const count of [`${name}${COUNT}`, 'image_count', 'media_count'])
    for (const value of namedValues(scope, count)) counts.add(value);
  if (scope.units.has('input_image') || scope.units.has('input_megapixel')) {
    counts.add(most);
    for (const { per, units } of scope.components)
      if (per === 'input_image' && units !== undefined) counts.add(units.from);
  }
  return [...counts].flatMap((count) =>
    typeof count === 'number' && Number.isInteger(count) && count >= fewest && count <= most
      ? [Array.from({ length: count }, () => simplestOf(schema.items ?? {}))]
      : [],
  );
}

function namedValues({ conditions }: Scope, name: string): readonly JsonValue[] {
  return conditions.flatMap((condition) => (condition[name] === undefined ? [] : boundaryValues(condition[name])));
}

/** Returns a value of a schema, with some upload as the medium. */
function simplestOf(schema: Schema): JsonValue {
  const { format, type, prefixItems, items, properties, required = [], ...rest } = schema;
  if (format === 'uri') return ANY_UPLOAD;
  if (isVendorAddress(schema)) return ANY_ADDRESS;
  if (prefixItems !== undefined) return prefixItems.map(simplestOf);
  if (type === 'array') return [simplestOf(items ?? {})];
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, simplestOf(properties?.[name] ?? {})]));
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return rest.minimum ?? 0;
  return rest.enum?.[0] ?? 'any';
}
