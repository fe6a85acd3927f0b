import { mapFields } from '@darkroom-service/addition-openai/mapping/map-fields';
import { outputOf } from '@darkroom-service/addition-openai/mapping/map-size';
import type { RequestedCall } from '@darkroom-service/addition-openai/mapping/requested-call';
import { placeReferences, takeMedia } from '@darkroom-service/addition-openai/mapping/sent-media';
import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';

/** Value of `door` of the calls of these apps. */
export const DOOR = 'a1111';

const MOST_IMAGES = 10;
const DEFAULT_SIDE = 512;
/** Fields of the web UI that a model may have, and the model's names. One that it refuses is omitted. */
const OWN: Readonly<Record<string, string>> = {
  negative_prompt: 'negative_prompt',
  seed: 'seed',
  steps: 'steps',
  cfg_scale: 'guidance_scale',
  denoising_strength: 'strength',
};
/** Fields that are read here or that say nothing of the picture. SillyTavern sends its own `url` and `auth` along. */
const READ = [
  ...['width', 'height', 'batch_size', 'n_iter', 'model', 'override_settings', 'inpainting_mask_invert'],
  ...['override_settings_restore_afterwards', 'send_images', 'save_images', 'do_not_save_samples', 'do_not_save_grid'],
  ...['include_init_images', 'sampler_index', 'url', 'auth'],
];

/** Returns the model that a request names; null = none. */
export function namedModel({ override_settings: settings, model }: JsonObject): string | null {
  const checkpoint = settings !== undefined && isJsonObject(settings) ? settings.sd_model_checkpoint : null;
  const sent = checkpoint ?? model ?? null;
  return typeof sent === 'string' && sent !== '' ? sent : null;
}

/**
 * Reads the body of `txt2img` or `img2img`. Settings that the model does not have are omitted and named; fields with
 * media are left to the model, which refuses them.
 * @throws ServiceError
 */
export function readCall(catalog: Catalog, modelId: string, body: JsonObject): RequestedCall {
  if (Number(body.inpainting_mask_invert ?? 0) !== 0 && (body.mask ?? null) !== null)
    throw new ServiceError(
      'unsupported_value',
      'inpainting_mask_invert: only 0 is supported, which changes the white part of the mask.',
      {
        param: 'inpainting_mask_invert',
      },
    );
  const count = readWhole(body, 'batch_size', MOST_IMAGES) * readWhole(body, 'n_iter', MOST_IMAGES);
  if (count > MOST_IMAGES)
    throw new ServiceError(
      'invalid_request',
      `batch_size: expected at most ${MOST_IMAGES} images with n_iter, found ${count}.`,
      {
        param: 'batch_size',
      },
    );
  const model = catalog.find(modelId);
  // An unknown model is refused when the order is judged.
  if (model === null)
    return { body: { model_id: modelId }, count, view: { format: 'b64_json', ignored: [], door: DOOR } };
  const { references, masks, rest } = takeMedia(withoutNeutral(body));
  const { own, omitted } = ownFields(model, rest);
  const size = `${readWhole(body, 'width')}x${readWhole(body, 'height')}`;
  const { fields, ignored } = mapFields(model, { ...own, size }, READ);
  return {
    body: {
      model_id: modelId,
      ...fields,
      ...placeReferences(model, references),
      ...Object.fromEntries(masks.map(({ source }) => ['mask_url', source])),
    },
    count,
    view: { format: 'b64_json', ignored: [...omitted, ...ignored], door: DOOR },
  };
}

/** Renames the settings that the model has, and omits those that it has not or refuses. */
function ownFields(model: Model, body: JsonObject): { readonly own: JsonObject; readonly omitted: readonly string[] } {
  const own = new Map<string, JsonValue>();
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const named = OWN[name];
    if (named === undefined) own.set(name, value);
    else if (named in model.parameters && outputOf(model, { [named]: value }) !== null) own.set(named, value);
    else omitted.push(name);
  }
  return { own: Object.fromEntries(own), omitted };
}

/** Omits what apps send to say nothing: empty values, switches that are off, and a seed of -1. */
function withoutNeutral(body: JsonObject): JsonObject {
  const isNeutral = (value: JsonValue) =>
    value === null || value === false || value === '' || value === 0 || value === -1 || isEmpty(value);
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => name === 'prompt' || !isNeutral(value)));
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Reads a whole number: the pixels of a side, or a count of at most `most`. */
function readWhole(body: JsonObject, name: string, most = 16_384): number {
  const value = body[name] ?? (most === MOST_IMAGES ? 1 : DEFAULT_SIDE);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  const message = `${name}: expected a whole number from 1 to ${most}, found ${describeValue(value)}.`;
  throw new ServiceError('invalid_request', message, { param: name });
}
