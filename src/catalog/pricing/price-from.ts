import { boundaryValues } from '@darkroom-service/contract/catalog/condition';
import type { Schema } from '@darkroom-service/contract/catalog/describe-schema';
import type { Model, ResolvedRequest } from '@darkroom-service/contract/catalog/model';
import { countedUnit, type PriceComponent } from '@darkroom-service/contract/catalog/price-schema';
import type { JsonObject, JsonValue } from '@darkroom-service/contract/json';
import { formatMicros } from '@darkroom-service/contract/money';
import { eachInSlices } from '../../base/map-in-slices.ts';
import { mediaFieldsOf } from '../media-fields.ts';
import { resolveRequest } from '../resolve-request.ts';
import { quoteRequest } from './quote.ts';

/** The maximum number of combinations examined per model; no shipped model comes near it. */
const MOST_COMBINATIONS = 20_000;
const SIZE_FIELDS = ['resolution', 'aspect_ratio', 'size', 'width', 'height'];
/** Squares, and the smallest of a GPT Image model, whose narrow pictures have fewer tokens. */
const SMALL_SIZES = ['1408x480', '512x512', '768x768', '1024x1024', '1280x1280', '2048x2048'];

/**
 * Searches the lowest prices of models whose prices were not searched before, and lets other work run meanwhile: for
 * the whole catalog it takes half a second. Afterwards `priceFrom` answers at once.
 */
export async function searchLowestPrices(models: readonly Model[]): Promise<void> {
  await eachInSlices(searchAll(models), () => {});
}

/**
 * Returns the lowest price that any create of the model can have, as a decimal string. Found by trying all values that
 * affect the price, unless `searchLowestPrices` has done so.
 */
export function priceFrom(model: Model, multiplier: string): string {
  for (const _tried of searchAll([model]));
  const request = model.compiled.cheapest ?? null;
  return formatMicros(request === null ? 0 : quoteRequest(model, request, multiplier).amount);
}

/**
 * Yields a body for every combination of values that affect the price; not all combinations are valid.
 * @param others further price lists whose values count
 */
export function* priceRelevantBodies(
  model: Model,
  others: readonly PriceComponent[] = [],
  most: number = MOST_COMBINATIONS,
): Generator<JsonObject> {
  const choices = relevantChoices(model, [...model.pricing.components, ...others]);
  const total = choices.reduce((product, [, values]) => product * values.length, 1);
  for (let place = 0; place < Math.min(total, most); place++) {
    const body: Record<string, JsonValue> = {};
    let rest = place;
    for (const [name, values] of choices) {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      if (value !== undefined) body[name] = value;
    }
    yield body;
  }
}

/** Tries one body in each step. */
function* searchAll(models: readonly Model[]): Generator<JsonObject> {
  for (const model of models) {
    if (model.compiled.cheapest !== undefined) continue;
    let best: ResolvedRequest | null = null;
    let lowest = Number.POSITIVE_INFINITY;
    for (const body of priceRelevantBodies(model)) {
      const found = resolveRequest(model, body, { purpose: 'quote' });
      const amount = found.ok ? quoteRequest(model, found.request, '1').amount : Number.POSITIVE_INFINITY;
      if (found.ok && amount < lowest) {
        best = found.request;
        lowest = amount;
      }
      yield body;
    }
    model.compiled.cheapest = best;
  }
}

/** Returns each field's values that can affect the price; `undefined` = not sent. */
function relevantChoices(model: Model, components: readonly PriceComponent[]): [string, (JsonValue | undefined)[]][] {
  const names = new Set(components.flatMap((component) => Object.keys(component.when ?? {})));
  const units = new Set(components.map(countedUnit));
  if ([...units].some((unit) => unit.endsWith('output_second'))) names.add('duration');
  const bySize =
    units.has('output_megapixel') ||
    ['width', 'height', 'output_pixels', 'output_megapixels', 'aspect'].some((name) => names.has(name));
  if (bySize) for (const name of SIZE_FIELDS) names.add(name);
  const media = mediaFieldsOf(model).map((field) => field.name);
  const byMedia =
    names.has('mode') ||
    names.has('video_input') ||
    [...names].some((name) => name.endsWith('_count')) ||
    [...units].some((unit) => unit.startsWith('input_'));
  if (byMedia) for (const name of media) names.add(name);
  const fields = mediaFieldsOf(model);
  return [...names].flatMap((name): [string, (JsonValue | undefined)[]][] => {
    const schema = model.parameters[name] as Schema | undefined;
    if (schema === undefined) return [];
    const field = fields.find((one) => one.name === name);
    if (field !== undefined) return [[name, [undefined, field.list ? ['upload:any'] : 'upload:any']]];
    return [[name, [undefined, ...valuesOf(model, components, name, schema)]]];
  });
}

function valuesOf(model: Model, components: readonly PriceComponent[], name: string, schema: Schema): JsonValue[] {
  const values = new Set<JsonValue>(schema.enum ?? []);
  for (const option of schema.anyOf ?? [])
    for (const value of valuesOf(model, components, name, option)) values.add(value);
  if (schema.type === 'boolean') for (const value of [true, false]) values.add(value);
  for (const bound of [schema.minimum, schema.maximum]) if (bound !== undefined) values.add(bound);
  const whole = schema.type === 'integer' || schema.type === 'number';
  const conditions = [
    ...components.map((one) => one.when?.[name]),
    ...model.constraints.flatMap((one) => [one.when?.[name], one.then[name]]),
  ];
  for (const condition of conditions) {
    if (condition === undefined || schema.enum !== undefined) continue;
    for (const value of boundaryValues(condition)) if (!whole || Number.isInteger(value)) values.add(value);
  }
  if (name === 'size' && schema.enum === undefined) for (const size of SMALL_SIZES) values.add(size);
  return [...values];
}
