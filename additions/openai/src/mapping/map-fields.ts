import { isCleanText, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { MediaSearch } from '@darkroom-service/media';
import { mapSize, outputOf } from './map-size.ts';

/** A body in our own terms, and OpenAI's fields that it omits. */
interface MappedFields {
  /** Fields without `model_id`. */
  readonly fields: JsonObject;
  /** Names of fields that were omitted, or met only approximately. */
  readonly ignored: readonly string[];
}

/** Fields that the service reads of any order. */
const SERVICE_FIELDS = [
  'metadata',
  'end_user',
  'webhook_url',
  'deliver_to',
  'max_price',
  'allow_dearer',
  'fallback_models',
  'fallback_on_content_policy',
  'simulate',
  'wait_for_parent',
];
/** OpenAI's fields that a model may have too. A value that the model refuses is omitted: clients send them unasked. */
const OPTIONAL_FIELDS = ['background', 'output_format', 'moderation', 'style', 'input_fidelity', 'output_compression'];
const QUALITIES = ['low', 'medium', 'high', 'xhigh', 'max'];
const QUALITY_WORDS: Readonly<Record<string, string>> = { standard: 'medium', hd: 'high' };

/** Fields that only name or describe an order, with any value. */
export const LABELS: readonly string[] = [...SERVICE_FIELDS, 'user', 'safety_identifier', 'tags'];

/**
 * Maps the fields of an OpenAI body that describe the output to those of a model. Fields of the model itself pass
 * unchanged, so that a client can send, for example, a `seed`. So do fields that carry a medium, for the model to
 * refuse: an order without it would be a different one.
 * @param read names of the fields that the caller of this function has read itself
 */
export function mapFields(model: Model, body: JsonObject, read: readonly string[]): MappedFields {
  const ignored: string[] = [];
  let fields: JsonObject = {};
  const search = new MediaSearch();
  for (const [name, value] of Object.entries(body)) {
    if (value === null || OPTIONAL_FIELDS.includes(name) || name === 'size' || name === 'quality') continue;
    const isKnown = SERVICE_FIELDS.includes(name) || (isOwn(model, name) && !read.includes(name));
    if (isKnown || (!LABELS.includes(name) && search.inspect(name, value) !== 'nothing'))
      fields = { ...fields, [name]: value };
    else if (!read.includes(name) && name !== 'user' && name !== 'safety_identifier') ignored.push(name);
  }
  fields = { ...fields, ...sizeOf(model, body.size, ignored), ...qualityOf(model, body.quality, ignored) };
  for (const name of OPTIONAL_FIELDS) {
    const value = body[name] ?? null;
    if (value === null || read.includes(name)) continue;
    if (isOwn(model, name) && outputOf(model, withoutService({ ...fields, [name]: value })) !== null)
      fields = { ...fields, [name]: value };
    else ignored.push(name);
  }
  return { fields: { ...endUserOf(body, ignored), ...fields }, ignored };
}

function sizeOf(model: Model, size: JsonValue | undefined, ignored: string[]): JsonObject {
  if (size === undefined || size === null || size === 'auto') return {};
  const mapped = typeof size === 'string' ? mapSize(model, size) : null;
  if (mapped?.isExact !== true) ignored.push('size');
  return mapped?.fields ?? {};
}

/** Chooses the quality of that name, or else the nearest one of the same scale. */
function qualityOf(model: Model, quality: JsonValue | undefined, ignored: string[]): JsonObject {
  if (quality === undefined || quality === null || quality === 'auto') return {};
  if (typeof quality !== 'string') {
    ignored.push('quality');
    return {};
  }
  const values = (model.parameters.quality as { readonly enum?: readonly JsonValue[] } | undefined)?.enum ?? [];
  const word = QUALITY_WORDS[quality] ?? quality;
  if (values.includes(quality)) return { quality };
  if (values.includes(word)) return { quality: word };
  ignored.push('quality');
  const place = QUALITIES.indexOf(word);
  const known = QUALITIES.filter((one) => values.includes(one));
  const distance = (one: string) => Math.abs(QUALITIES.indexOf(one) - place);
  const nearest = known.sort((a, b) => distance(a) - distance(b))[0];
  return place < 0 || nearest === undefined ? {} : { quality: nearest };
}

/** Returns the caller's own customer, by either of the names that OpenAI has for it. */
function endUserOf(body: JsonObject, ignored: string[]): JsonObject {
  const sent = ['safety_identifier', 'user'].filter((name) => (body[name] ?? null) !== null);
  const usable = sent.find((name) => isEndUser(body[name]));
  ignored.push(...sent.filter((name) => !isEndUser(body[name])));
  return usable === undefined ? {} : { end_user: body[usable] ?? null };
}

function isEndUser(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= 128 && isCleanText(value);
}

function isOwn(model: Model, name: string): boolean {
  return Object.hasOwn(model.parameters, name);
}

function withoutService(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SERVICE_FIELDS.includes(name)));
}
