import { errorFromFaults, type Fault, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '../../../kernel-orders.ts';
import { resolveAlias } from './aliases.ts';
import { findImpossibleValues } from './check-values.ts';
import { typeFields } from './form-fields.ts';
import { isInputField } from './image-inputs.ts';
import { mapFields } from './map-fields.ts';
import type { CallSources, CallView, RequestedCall } from './requested-call.ts';

const MOST_IMAGES = 10;
/** The model of a call that names none. */
const DEFAULT_MODEL = 'gpt-image-1';
const READ = ['model', 'n', 'response_format', 'stream', 'partial_images'];
/** OpenAI answers these models, and a call that names none, with URLs unless told otherwise. */
const ANSWERED_WITH_URLS = /^dall-e/;

/**
 * Reads the body of `images/generations`. Fields that neither OpenAI nor the model has are left out and named.
 * @throws ServiceError with every fault of the fields that are read here; the model judges the others later
 */
export function readImageCall(
  body: JsonObject,
  { catalog, aliases, media = {}, isForm = false, unusedFiles = [] }: CallSources,
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
  const typed = isForm && model !== null ? typeFields(model, body) : body;
  const read = [...READ, ...Object.keys(body).filter(isInputField)];
  const { fields, ignored } = model === null ? { fields: {}, ignored: [] } : mapFields(model, typed, read);
  const partial = Number(body.partial_images ?? 0) === 0 ? [] : ['partial_images'];
  return {
    body: { model_id: modelId, ...fields, ...media },
    count,
    view: { format, ignored: [...ignored, ...partial, ...unusedFiles] },
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
