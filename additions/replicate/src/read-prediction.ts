import { mapFields } from '@darkroom-service/addition-openai/mapping/map-fields';
import type { RequestedCall } from '@darkroom-service/addition-openai/mapping/requested-call';
import { placeReferences, takeMedia } from '@darkroom-service/addition-openai/mapping/sent-media';
import { type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';

/** Values of `door` of Replicate's calls: the output is one URL, or a list of them. */
export const ONE_OUTPUT = 'replicate';
export const LISTED_OUTPUTS = 'replicate-list';

const MOST_OUTPUTS = 10;
const COUNT = 'num_outputs';
/** Fields by which vendors at Replicate take media, and those of this service that mean the same. */
const FIELDS: Readonly<Record<string, string>> = {
  image_input: 'images',
  image_prompt: 'image',
  start_image: 'first_frame_url',
  first_frame_image: 'first_frame_url',
  last_frame: 'last_frame_url',
  last_frame_image: 'last_frame_url',
  end_image: 'last_frame_url',
  mask: 'mask_url',
};
/** Fields of a prediction that would change how its end is told. */
const REFUSED: Readonly<Record<string, string>> = {
  webhook: 'Poll urls.get, or order with POST /v1/images and webhook_url',
  webhook_completed: 'Poll urls.get, or order with POST /v1/images and webhook_url',
  stream: 'The output is complete when the prediction has succeeded',
};

/** A prediction as a client orders it. */
export interface SentPrediction {
  readonly modelId: string;
  /** Fields of the model, with the addresses of uploaded files as `upload:<file_id>`. */
  readonly input: JsonObject;
}

/**
 * Reads the body of a new prediction.
 * @param named model of the path; null = the body names it
 * @param filesUrl address of the uploaded files, with a slash at the end
 * @throws ServiceError
 */
export function readPrediction(body: JsonObject, named: string | null, filesUrl: string): SentPrediction {
  for (const [name, remedy] of Object.entries(REFUSED))
    if ((body[name] ?? false) !== false)
      throw new ServiceError('unsupported_value', `${name}: not supported in Replicate's form. ${remedy}.`, {
        param: name,
      });
  const { input = {} } = body;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ServiceError('invalid_request', `input: expected an object, found ${describeValue(input)}.`, {
      param: 'input',
    });
  const entries = Object.entries(input).map(([name, value]) => [name, withUploads(value, filesUrl)]);
  return { modelId: named ?? modelOf(body.version ?? body.model ?? null), input: Object.fromEntries(entries) };
}

/** Returns the name in `owner/name` or `owner/name:version`; each model has one version here. */
function modelOf(version: JsonValue): string {
  const [, name] = /^[^/\s]+\/([^/:\s]+)(?::\w+)?$/.exec(typeof version === 'string' ? version : '') ?? [];
  if (name !== undefined) return name;
  const message = `version: expected owner/name such as black-forest-labs/flux-2-pro, found ${describeValue(version)}. Models have no versions here.`;
  throw new ServiceError('invalid_request', message, { param: 'version' });
}

function withUploads(value: JsonValue, filesUrl: string): JsonValue {
  if (Array.isArray(value)) return value.map((one) => withUploads(one, filesUrl));
  return typeof value === 'string' && value.startsWith(filesUrl) ? `upload:${value.slice(filesUrl.length)}` : value;
}

/** Maps a prediction to orders. Fields that the model does not have are omitted and named, but no medium is. */
export function mapPrediction(catalog: Catalog, { modelId, input }: SentPrediction): RequestedCall {
  const count = readCount(input[COUNT] ?? 1);
  const door = COUNT in input ? LISTED_OUTPUTS : ONE_OUTPUT;
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  if (model === null) return { body: { model_id: modelId }, count, view: { format: 'url', ignored: [], door } };
  const { references, masks, rest } = takeMedia(renameFields(model, input));
  const named = masks.map(({ name, source }) => [name, source]);
  const { fields, ignored } = mapFields(model, { ...rest, ...Object.fromEntries(named) }, [COUNT]);
  const body = { model_id: modelId, ...fields, ...placeReferences(model, references) };
  return { body, count, view: { format: 'url', ignored, door } };
}

function renameFields({ parameters }: Model, input: JsonObject): JsonObject {
  const entries = Object.entries(input).map(([name, value]) => {
    const other = FIELDS[name];
    const isFree = other !== undefined && !(name in parameters) && !(other in input);
    return [isFree ? other : name, value];
  });
  return Object.fromEntries(entries);
}

function readCount(value: JsonValue): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_OUTPUTS) return value;
  const message = `${COUNT}: expected a whole number from 1 to ${MOST_OUTPUTS}, found ${describeValue(value)}.`;
  throw new ServiceError('invalid_request', message, { param: COUNT });
}
