import { errorFromFaults, type Fault, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { resolveAlias } from './aliases.ts';
import { findImpossibleValues } from './check-values.ts';
import { typeFields } from './form-fields.ts';
import { mapFields } from './map-fields.ts';
import { mapShape } from './map-shape.ts';
import type { CallSources, CallView, RequestedCall } from './requested-call.ts';
import { placeReferences, type SentMedia, sentTwice } from './sent-media.ts';

const MOST_IMAGES = 10;
/** Model of a call that names none. */
const DEFAULT_MODEL = 'gpt-image-1';
const READ = ['model', 'n', 'response_format', 'stream', 'partial_images'];
/** Models for which OpenAI answers with URLs unless told otherwise; so it does for a call without a model. */
const ANSWERED_WITH_URLS = /^dall-e/;

/**
 * Reads the body of a request for images. Fields that neither OpenAI nor the model has are omitted and named; those
 * that carry media are left to the model, which refuses them.
 * @param sources.mask a mask of our own, as a data URI
 * @throws ServiceError with every fault of the fields that are read here; the model judges the others later
 */
export function readImageCall(
  { references, rest: body }: Pick<SentMedia, 'references' | 'rest'>,
  {
    catalog,
    aliases,
    mask,
    isForm,
    shape = { ratio: null, tier: null },
  }: CallSources & { readonly mask: string | null },
): RequestedCall {
  const faults: Fault[] = [];
  const count = readCount(body.n ?? 1, faults);
  const sentModel = body.model ?? null;
  const usualFormat = sentModel === null || ANSWERED_WITH_URLS.test(String(sentModel)) ? 'url' : 'b64_json';
  const format = readFormat(body.response_format ?? usualFormat, faults);
  const modelId = readModel(sentModel ?? DEFAULT_MODEL, faults, (name) =>
    resolveAlias(name, aliases, (id) => catalog.find(id) !== null),
  );
  faults.push(...findImpossibleValues(catalog, body));
  if (faults.length > 0) throw errorFromFaults(faults);
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  if (model === null) return { body: { model_id: modelId }, count, view: { format, ignored: [] } };
  const { fields, ignored } = mapFields(model, isForm ? typeFields(model, body) : body, READ);
  if (mask !== null && (fields.mask_url ?? null) !== null) throw sentTwice('mask', 'mask_url');
  const media = { ...placeReferences(model, references), ...(mask === null ? {} : { mask_url: mask }) };
  const { fields: shaped, missed } = mapShape(model, shape);
  const partial = Number(body.partial_images ?? 0) === 0 ? [] : ['partial_images'];
  return {
    body: { model_id: modelId, ...shaped, ...fields, ...media },
    count,
    view: { format, ignored: [...ignored, ...missed, ...partial] },
  };
}

function readCount(value: JsonValue, faults: Fault[]): number {
  // Multipart forms send numbers as text.
  const count = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_IMAGES) return count;
  const message = `n: expected a whole number from 1 to ${MOST_IMAGES}, found ${describeValue(value)}.`;
  faults.push({ param: 'n', code: 'invalid_request', message });
  return 1;
}

function readFormat(value: JsonValue, faults: Fault[]): CallView['format'] {
  if (value === 'b64_json' || value === 'url') return value;
  const message = `response_format: expected b64_json or url, found ${describeValue(value)}.`;
  faults.push({ param: 'response_format', code: 'invalid_request', message });
  return 'b64_json';
}

function readModel(value: JsonValue, faults: Fault[], resolve: (name: string) => string): string {
  if (typeof value === 'string' && value !== '') return resolve(value);
  const message = `model: expected the name of a model, such as "sketch", found ${describeValue(value)}. GET /openai/v1/models lists them.`;
  faults.push({ param: 'model', code: 'invalid_request', message });
  return '';
}
