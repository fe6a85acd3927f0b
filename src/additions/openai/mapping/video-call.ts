import { errorFromFaults, type Fault, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { describeValue } from '../../../kernel-orders.ts';
import { resolveAlias } from './aliases.ts';
import { findImpossibleValues } from './check-values.ts';
import { typeFields } from './form-fields.ts';
import { dataUriOf, type FormFile } from './image-inputs.ts';
import { mapFields } from './map-fields.ts';
import type { CallSources, RequestedCall } from './requested-call.ts';

/** The model of a call that names none. */
const DEFAULT_MODEL = 'sora-2';
const READ = ['model', 'seconds', 'input_reference'];

/**
 * Reads the body of `POST videos`. Fields that neither OpenAI nor the model has are left out and named.
 * @throws ServiceError with every fault of the fields that are read here; the model judges the others later
 */
export function readVideoCall(
  body: JsonObject,
  { catalog, aliases, isForm, unusedFiles = [] }: Omit<CallSources, 'media'>,
): RequestedCall {
  const faults: Fault[] = [];
  const name = body.model ?? DEFAULT_MODEL;
  if (typeof name !== 'string')
    faults.push(fault('model', `expected the name of a model, found ${describeValue(name)}`));
  const reference = readReference(body.input_reference ?? null, faults);
  const duration = readSeconds(body.seconds ?? null, faults);
  faults.push(...findImpossibleValues(catalog, body));
  if (faults.length > 0) throw errorFromFaults(faults);
  const modelId = resolveAlias(String(name), aliases, (id) => catalog.find(id) !== null);
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  if (model === null) return { body: { model_id: modelId }, count: 1, view: { format: 'url', ignored: [] } };
  const { fields, ignored } = mapFields(model, isForm === true ? typeFields(model, body) : body, READ);
  return {
    body: {
      model_id: modelId,
      ...fields,
      ...(duration === null ? {} : { duration }),
      ...(reference === null ? {} : firstFrame(model, reference)),
    },
    count: 1,
    view: { format: 'url', ignored: [...ignored, ...unusedFiles] },
  };
}

/** Puts the file of a form where JSON has its reference. @returns the fields, and the names of the other files */
export function readVideoForm(
  fields: JsonObject,
  files: readonly FormFile[],
): { readonly body: JsonObject; readonly unusedFiles: readonly string[] } {
  const file = files.find(({ name }) => /^input_reference(\[0?\])?$/.test(name));
  const unusedFiles = files.filter((one) => one !== file).map(({ name }) => name);
  return { body: file === undefined ? fields : { ...fields, input_reference: dataUriOf(file.bytes) }, unusedFiles };
}

/** Clients send the number as text. */
function readSeconds(value: JsonValue, faults: Fault[]): number | null {
  if (value === null) return null;
  const seconds = typeof value === 'string' && /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : value;
  if (typeof seconds === 'number') return seconds;
  faults.push(fault('seconds', `expected a number of seconds such as "8", found ${describeValue(value)}`));
  return null;
}

/** @returns a source as our own fields accept it */
function readReference(value: JsonValue, faults: Fault[]): string | null {
  if (value === null || typeof value === 'string') return value;
  const { image_url: url, file_id: fileId } = Array.isArray(value) ? {} : (value as JsonObject);
  if (typeof url === 'string') return url;
  if (typeof fileId === 'string') return `upload:${fileId}`;
  faults.push(fault('input_reference', `expected a file, image_url or file_id, found ${describeValue(value)}`));
  return null;
}

function firstFrame(model: Model, source: string): JsonObject {
  return 'first_frame_url' in model.parameters ? { first_frame_url: source } : { image_urls: [source] };
}

function fault(param: string, message: string): Fault {
  return { param, code: 'invalid_request', message: `${param}: ${message}.` };
}
