import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { errorFromFaults, type Fault } from '../base/errors.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Model } from '../catalog/model.ts';
import { type Alias, resolveAlias } from './aliases.ts';
import { INPUT_FIELDS } from './image-inputs.ts';
import { mapFields } from './map-fields.ts';

/** A request of an OpenAI-compatible client for images, in our own terms. */
export interface ImageCall {
  /** The body of one order. */
  readonly body: JsonObject;
  /** How many orders. */
  readonly count: number;
  readonly view: CallView;
}

/** How a client wants its answer; stored with the call. */
export interface CallView {
  readonly format: 'b64_json' | 'url';
  /** Names of fields that were left out, or met only nearly. */
  readonly ignored: readonly string[];
}

const MOST_IMAGES = 10;
/** The model of a call that names none. */
const DEFAULT_MODEL = 'gpt-image-1';
const READ = ['model', 'n', 'response_format', 'stream', 'partial_images', ...INPUT_FIELDS];

/** Where the parts of a call come from. */
export interface CallSources {
  readonly catalog: Catalog;
  readonly aliases: readonly Alias[];
  /** Fields of our own body that the images of the request became. */
  readonly media?: JsonObject;
  /** A form has text only: numbers and flags of the model are read from it. */
  readonly isForm?: boolean;
}

/**
 * Reads the body of `images/generations`. Fields that neither OpenAI nor the model has are left out and named.
 * @throws ServiceError with every fault of the fields that are read here; the model judges the others later
 */
export function readImageCall(
  body: JsonObject,
  { catalog, aliases, media = {}, isForm = false }: CallSources,
): ImageCall {
  const faults: Fault[] = [];
  const count = readCount(body.n ?? 1, faults);
  const format = readFormat(body.response_format ?? 'b64_json', faults);
  const modelId = readModel(body.model ?? DEFAULT_MODEL, faults, (name) =>
    resolveAlias(name, aliases, (id) => catalog.find(id) !== null),
  );
  if (faults.length > 0) throw errorFromFaults(faults);
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  const typed = isForm && model !== null ? typeFields(model, body) : body;
  const { fields, ignored } = model === null ? { fields: {}, ignored: [] } : mapFields(model, typed, READ);
  const partial = Number(body.partial_images ?? 0) === 0 ? [] : ['partial_images'];
  return {
    body: { model_id: modelId, ...fields, ...media },
    count,
    view: { format, ignored: [...ignored, ...partial] },
  };
}

/** The types of the fields of `simulate`; the others are text. */
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

function readCount(value: JsonValue, faults: Fault[]): number {
  // Multipart forms send numbers as text.
  const count = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_IMAGES) return count;
  const message = `n: expected a whole number from 1 to ${MOST_IMAGES}, found ${shorten(value)}.`;
  faults.push({ param: 'n', code: 'invalid_request', message });
  return 1;
}

function readFormat(value: JsonValue, faults: Fault[]): CallView['format'] {
  if (value === 'b64_json' || value === 'url') return value;
  const message = `response_format: expected b64_json or url, found ${shorten(value)}.`;
  faults.push({ param: 'response_format', code: 'invalid_request', message });
  return 'b64_json';
}

function readModel(value: JsonValue, faults: Fault[], resolve: (name: string) => string): string {
  if (typeof value === 'string' && value !== '') return resolve(value);
  const message = `model: expected the name of a model, such as "sketch", found ${shorten(value)}. GET /openai/v1/models lists them.`;
  faults.push({ param: 'model', code: 'invalid_request', message });
  return '';
}

export function shorten(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
