import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { MediaField, Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { resolveRequest } from '../../src/catalog/resolve-request.ts';
import type { ForeignPrice } from './offer.ts';

/** An order that a price of a source is for. */
export interface PricedOrder {
  readonly body: JsonObject;
  readonly request: ResolvedRequest;
}

/** An order, and one that is the same with an image less; null where that does not matter. */
export interface OrderPair {
  readonly more: PricedOrder;
  readonly fewer: PricedOrder | null;
}

/** Lengths to try: price lists are by the second, and not every model has each length. */
const SECONDS = [5, 8, 6, 10, 4];
/** Names of one tier. */
const SAME_TIERS = [
  ['0.75k', '768sq'],
  ['720p', 'hd'],
  ['1080p', 'fhd'],
  ['1440p', 'qhd'],
  ['2160p', 'uhd', '4k'],
];

/**
 * Returns the resolutions that a price is for: the one that it names. A price that names none is for the default, or,
 * if another price of the model is for that, for all that no other price names. `[null]` if the model has no
 * resolutions to choose from, and none if it lacks the one that the price names.
 */
export function resolutionsOf(
  model: Model,
  { tier, size }: Pick<ForeignPrice, 'tier' | 'size'>,
  otherTiers: readonly string[],
): readonly (string | null)[] {
  const { enum: own, default: usual = '' } = (model.parameters.resolution ?? {}) as {
    readonly enum?: readonly string[];
    readonly default?: string;
  };
  if (size !== null) return [null];
  if (own === undefined) return tier === null ? [null] : [];
  if (tier !== null) return own.filter((each) => isSameTier(each, tier));
  const unnamed = own.filter((each) => !otherTiers.some((other) => isSameTier(each, other)));
  return unnamed.includes(usual) ? [usual] : unnamed;
}

function isSameTier(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || SAME_TIERS.some((names) => names.includes(a) && names.includes(b));
}

/** Finds an order of a model with the given fields that is accepted: without media first, with sound if it has any. */
export function findOrder(
  model: Model,
  fields: JsonObject,
  accepts: (request: ResolvedRequest) => boolean,
): PricedOrder | null {
  for (const body of bodiesWith(model, fields)) {
    const found = resolveRequest(model, body, { purpose: 'quote' });
    if (found.ok && accepts(found.request)) return { body, request: found.request };
  }
  return null;
}

function* bodiesWith(model: Model, fields: JsonObject): Generator<JsonObject> {
  const choices = (name: string, values: readonly JsonValue[]): JsonObject[] =>
    name in model.parameters && !(name in fields) ? [...values.map((value) => ({ [name]: value })), {}] : [{}];
  const prompt: JsonObject = 'prompt' in model.parameters ? { prompt: 'a fox' } : {};
  const media = model.compiled.fields.media.filter(({ kind }) => kind === 'image').map((field) => withImages(field, 1));
  for (const medium of [{}, ...media])
    for (const sound of choices('generate_audio', [true]))
      for (const length of choices('duration', SECONDS)) yield { ...prompt, ...length, ...sound, ...medium, ...fields };
}

/** Returns the fields of an output of this size; null if the model has none. */
export function fieldsOfSize(model: Model, size: string): JsonObject | null {
  if ('size' in model.parameters) return { size };
  const optionsOf = (name: string) =>
    (model.parameters[name] as { readonly enum?: readonly JsonValue[] } | undefined)?.enum ?? [];
  for (const resolution of optionsOf('resolution'))
    for (const ratio of optionsOf('aspect_ratio')) {
      const body = { resolution, aspect_ratio: ratio };
      const found = resolveRequest(model, body, { purpose: 'quote' });
      if (found.ok && `${found.request.output.width}x${found.request.output.height}` === size) return body;
    }
  return null;
}

/** Returns orders that differ only by one image, with as many images as the model takes; null if it takes none. */
export function findImagePair(
  model: Model,
  fields: JsonObject,
  accepts: (request: ResolvedRequest) => boolean,
): OrderPair | null {
  const roles = ['mask', 'style', 'last_frame'];
  for (const field of model.compiled.fields.media) {
    if (field.kind !== 'image' || roles.includes(field.role)) continue;
    const most = field.list ? (model.limits[field.name]?.max ?? field.schema.maxItems ?? 1) : 1;
    const more = findOrder(model, { ...fields, ...withImages(field, most) }, accepts);
    if (more === null) continue;
    const { [field.name]: _, ...others } = more.body;
    const fewerBody = { ...others, ...withImages(field, most - 1) };
    const fewer = resolveRequest(model, fewerBody, { purpose: 'quote' });
    if (fewer.ok) return { more, fewer: { body: fewerBody, request: fewer.request } };
  }
  return null;
}

function withImages({ name, list }: MediaField, count: number): JsonObject {
  if (count === 0) return {};
  return { [name]: list ? Array.from({ length: count }, (_, at) => `upload:image_${at}`) : 'upload:image' };
}
