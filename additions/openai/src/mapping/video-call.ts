import { errorFromFaults, type Fault, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { resolveAlias } from './aliases.ts';
import { findImpossibleValues } from './check-values.ts';
import { typeFields } from './form-fields.ts';
import { mapFields } from './map-fields.ts';
import type { CallSources, RequestedCall } from './requested-call.ts';
import { placeReferences, type SentMedia, sentTwice } from './sent-media.ts';

/** Model of a call that names none. */
const DEFAULT_MODEL = 'sora-2';
const READ = ['model', 'seconds', 'input_reference'];

/**
 * Reads the body of `POST videos`. Fields that neither OpenAI nor the model has are omitted and named; those that carry
 * media are left to the model, which refuses them.
 * @throws ServiceError with every fault of the fields that are read here; the model judges the others later
 */
export function readVideoCall(
  { references, masks, rest }: SentMedia,
  { catalog, aliases, isForm }: CallSources,
): RequestedCall {
  // No film is ordered with a mask: the model refuses it.
  const body: JsonObject = { ...rest, ...Object.fromEntries(masks.map(({ name, source }) => [name, source])) };
  const faults: Fault[] = [];
  const name = body.model ?? DEFAULT_MODEL;
  if (typeof name !== 'string')
    faults.push(fault('model', `expected the name of a model, found ${describeValue(name)}`));
  if ((body.input_reference ?? null) !== null) faults.push(noReference(body.input_reference));
  const duration = readSeconds(body.seconds ?? null, faults);
  faults.push(...findImpossibleValues(catalog, body));
  if (faults.length > 0) throw errorFromFaults(faults);
  const modelId = resolveAlias(String(name), aliases, (id) => catalog.find(id) !== null);
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  if (model === null) return { body: { model_id: modelId }, count: 1, view: { format: 'url', ignored: [] } };
  const { fields, ignored } = mapFields(model, isForm ? typeFields(model, body) : body, READ);
  const media = placeReferences(model, references);
  if ('first_frame_url' in media && (fields.first_frame_url ?? null) !== null)
    throw sentTwice(references[0]?.name ?? 'input_reference', 'first_frame_url');
  return {
    body: { model_id: modelId, ...fields, ...(duration === null ? {} : { duration }), ...media },
    count: 1,
    view: { format: 'url', ignored },
  };
}

/** Reads the duration. Clients send the number as text. */
function readSeconds(value: JsonValue, faults: Fault[]): number | null {
  if (value === null) return null;
  const seconds = typeof value === 'string' && /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : value;
  if (typeof seconds === 'number') return seconds;
  faults.push(fault('seconds', `expected a number of seconds such as "8", found ${describeValue(value)}`));
  return null;
}

function noReference(value: JsonValue | undefined): Fault {
  return fault('input_reference', `expected a file, image_url or file_id, found ${describeValue(value)}`);
}

function fault(param: string, message: string): Fault {
  return { param, code: 'invalid_request', message: `${param}: ${message}.` };
}
