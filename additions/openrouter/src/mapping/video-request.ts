import { resolveAlias } from '@darkroom-service/addition-openai/mapping/aliases';
import type { CallSources, RequestedCall } from '@darkroom-service/addition-openai/mapping/requested-call';
import { takeMedia } from '@darkroom-service/addition-openai/mapping/sent-media';
import { readVideoCall } from '@darkroom-service/addition-openai/mapping/video-call';
import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';

/** Fields of the service for the parts of `input_references` and for the frames, by the type that the client names. */
const REFERENCES: Readonly<Record<string, string>> = {
  image_url: 'image_urls',
  video_url: 'reference_video_urls',
  audio_url: 'reference_audio_urls',
};
const FRAMES: Readonly<Record<string, string>> = { first_frame: 'first_frame_url', last_frame: 'last_frame_url' };

/** Reads the body of `POST videos`. @throws ServiceError */
export function readVideoRequest(body: JsonObject, sources: Omit<CallSources, 'isForm'>): RequestedCall {
  if ((body.previous_job_id ?? null) !== null) throw withoutContinuation();
  const { frame_images: frames = null, input_references: references = null, previous_job_id: _, ...rest } = body;
  const { catalog, aliases } = sources;
  const model = catalog.find(resolveAlias(String(body.model ?? ''), aliases, (id) => catalog.find(id) !== null));
  const fields = {
    ...rest,
    ...(model === null
      ? {}
      : { ...inSpellingOf(model, rest, 'resolution'), ...inSpellingOf(model, rest, 'aspect_ratio') }),
    ...readReferences(references),
    ...readFrames(frames),
  };
  return readVideoCall(takeMedia(fields), { ...sources, isForm: false });
}

/** Returns a value as the model spells it: `4K` may be its `4k`. */
function inSpellingOf({ parameters }: Pick<Model, 'parameters'>, body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? null;
  const { enum: values = [] } = (parameters[name] ?? {}) as { readonly enum?: readonly JsonValue[] };
  const same = values.find((one) => String(one).toLowerCase() === String(value).toLowerCase());
  return value === null || same === undefined ? {} : { [name]: same };
}

function readReferences(value: JsonValue): JsonObject {
  const fields = new Map<string, string[]>();
  for (const part of listOf('input_references', value)) {
    const type = String(part.type);
    const url = urlIn(part, type);
    const field = REFERENCES[type];
    if (field === undefined || url === null) throw badPart('input_references', Object.keys(REFERENCES));
    fields.set(field, [...(fields.get(field) ?? []), url]);
  }
  return Object.fromEntries(fields);
}

function readFrames(value: JsonValue): JsonObject {
  const fields = new Map<string, string>();
  for (const frame of listOf('frame_images', value)) {
    const field = FRAMES[String(frame.frame_type)];
    const url = urlIn(frame, 'image_url');
    if (field === undefined || url === null) throw badPart('frame_images', Object.keys(FRAMES));
    fields.set(field, url);
  }
  return Object.fromEntries(fields);
}

function listOf(param: string, value: JsonValue): JsonObject[] {
  if (value === null) return [];
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new ServiceError('invalid_request', `${param}: expected a list of objects.`, { param });
}

function urlIn(part: JsonObject, type: string): string | null {
  const found = part[type] ?? null;
  const url = isJsonObject(found) ? (found.url ?? null) : found;
  return typeof url === 'string' && url !== '' ? url : null;
}

function badPart(param: string, types: readonly string[]): ServiceError {
  const message = `${param}: expected objects with a URL and one of the types ${types.join(', ')}.`;
  return new ServiceError('invalid_request', message, { param });
}

function withoutContinuation(): ServiceError {
  const message =
    'previous_job_id is not supported. Order a continuation with POST /v1/videos and reference_video_urls, from a model that has them.';
  return new ServiceError('unsupported_field', message, { param: 'previous_job_id' });
}
