import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { readRatio } from '@darkroom-service/contract/catalog';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';
import { resolveAlias } from './aliases.ts';
import type { ChatTurn } from './chat-messages.ts';
import { readImageCall } from './image-call.ts';
import { edgeOf, type WantedShape } from './map-shape.ts';
import type { CallSources, RequestedCall } from './requested-call.ts';
import type { SentMedia } from './sent-media.ts';

/** Fields of conversations that have another meaning for images, or none. */
const OF_TEXT = [
  'messages',
  'modalities',
  'image_config',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'response_format',
  'stream_options',
  'stop',
];

/** Returns the fields of a conversation that describe images; those of `image_config` are among them. */
export function imageFieldsOf(body: JsonObject): JsonObject {
  const { image_config: config = null } = body;
  const { aspect_ratio, image_size, resolution, ...others } = isJsonObject(config) ? config : {};
  const rest = Object.entries(body).filter(([name]) => !OF_TEXT.includes(name));
  return { ...Object.fromEntries(rest), ...others };
}

/**
 * Reads the body of `POST chat/completions`: the prompt is the text of the last turn, the references are its pictures,
 * or else the picture that the assistant has shown last, if the model takes one.
 * @param sent the fields and pictures beside the messages
 * @throws ServiceError, also for tools, other modalities and models that make no images
 */
export function readChatCall(
  body: JsonObject,
  turn: ChatTurn,
  sent: Pick<SentMedia, 'references' | 'rest'>,
  sources: Omit<CallSources, 'isForm'> & { readonly mask: string | null },
): RequestedCall {
  refuseTools(body);
  checkModalities(body.modalities ?? null);
  const { catalog, aliases } = sources;
  const name = body.model ?? null;
  const model = typeof name === 'string' ? findModel(catalog, aliases, name) : null;
  const references = [...turn.pictures, ...sent.references];
  const editsShown =
    references.length === 0 && turn.shown !== null && model !== null && 'image_urls' in model.parameters;
  const call = readImageCall(
    {
      references: editsShown && turn.shown !== null ? [turn.shown] : references,
      rest: { ...sent.rest, ...(turn.prompt === null ? {} : { prompt: turn.prompt }) },
    },
    { ...sources, isForm: false, shape: readShape(body.image_config ?? null) },
  );
  const isLeftOut = references.length === 0 && turn.shown !== null && !editsShown;
  const ignored = isLeftOut ? [...call.view.ignored, 'messages.images'] : call.view.ignored;
  return { ...call, view: { format: 'b64_json', chatModel: String(name ?? model?.model_id ?? ''), ignored } };
}

/** Reads the shape of `image_config`: `aspect_ratio`, and `image_size` or `resolution`. @throws ServiceError */
export function readShape(config: JsonValue): WantedShape {
  if (!isJsonObject(config)) return { ratio: null, tier: null };
  const { aspect_ratio: ratio = null, image_size: size = null, resolution = null } = config;
  return { ratio: readWantedRatio(ratio), tier: readTier('image_size', size) ?? readTier('resolution', resolution) };
}

/** Reads an aspect ratio; null = the model's own. @throws ServiceError */
export function readWantedRatio(value: JsonValue): string | null {
  if (value === null || value === 'auto') return null;
  if (typeof value === 'string' && readRatio(value) !== null) return value;
  throw unsupported('aspect_ratio', `expected a ratio such as 16:9, found ${describeValue(value)}.`);
}

/** Reads a resolution; null = the model's own. @throws ServiceError */
export function readTier(name: string, value: JsonValue): string | null {
  if (value === null || value === 'auto') return null;
  if (typeof value === 'string' && edgeOf(value) !== null) return value;
  throw unsupported(name, `expected a resolution such as 1K, 2K or 4K, found ${describeValue(value)}.`);
}

function findModel(catalog: Catalog, aliases: CallSources['aliases'], name: string) {
  const model = catalog.find(resolveAlias(name, aliases, (id) => catalog.find(id) !== null));
  if (model !== null) return model;
  const message = `There is no model ${describeValue(name)} here. This service makes images and videos and has no text models: GET /v1/models lists what it has.`;
  throw new ServiceError('model_not_found', message, { param: 'model' });
}

function refuseTools(body: JsonObject): void {
  const sent = ['tools', 'functions'].find((name) => Array.isArray(body[name]) && body[name].length > 0);
  if (sent === undefined) return;
  const message = `${sent}: models for images call no tools. Leave ${sent} out, and send what needs tools to a text model elsewhere.`;
  throw new ServiceError('unsupported_field', message, { param: sent });
}

function checkModalities(value: JsonValue): void {
  if (value === null || (Array.isArray(value) && value.includes('image') && !value.includes('audio'))) return;
  const expected = 'expected ["image"] or ["image", "text"], because this service has no text models';
  throw unsupported('modalities', `${expected}; found ${describeValue(value)}.`);
}

function unsupported(param: string, message: string): ServiceError {
  return new ServiceError('unsupported_value', `${param}: ${message}`, { param });
}
