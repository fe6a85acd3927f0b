import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { MediaSearch } from '@darkroom-service/media';

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A picture of a request. */
export interface SentMedium {
  /** The field as the caller wrote it. */
  readonly name: string;
  /** A URL, a data URI, `upload:<file_id>` or `task:<task_id>`. */
  readonly source: string;
}

/** A request without its pictures, and the pictures. */
export interface SentMedia {
  /** Pictures in the order of the request, files of a form first. */
  readonly references: readonly SentMedium[];
  readonly masks: readonly SentMedium[];
  /** All other fields. Those of `extra_body` are among them, and files as data URIs under their names. */
  readonly rest: JsonObject;
}

/** Text fields, which are never a file. */
const TEXT_FIELDS = ['prompt', 'model', 'user', 'safety_identifier', 'end_user', 'metadata', 'tags'];
/** Names of pictures from which an order starts, in the spelling of `plainName`. */
const REFERENCE = /^(?:images?|image_urls?|(?:input|init|reference|source)_images?(?:_urls?)?|input_references?)$/;
const MASK = /^masks?$/;
/** Names under which a single picture is the first frame of a film. */
const FRAME = /^(?:image|image_url|(?:input|init|source)_image(?:_url)?|input_reference)$/;
const EXTRA = 'extra_body';

/**
 * Takes the pictures out of a request by the names of their fields. Serializers write brackets if a field may have
 * several values, and some clients send the fields beside OpenAI's in `extra_body`.
 * @throws ServiceError for an invalid picture, and for a file under the name of a text field
 */
export function takeMedia(body: JsonObject, files: readonly FormFile[] = []): SentMedia {
  const [references, masks]: [SentMedium[], SentMedium[]] = [[], []];
  const rest = new Map<string, JsonValue>();
  const search = new MediaSearch();
  const listOf = (name: string) => {
    const plain = plainName(name);
    return REFERENCE.test(plain) ? references : MASK.test(plain) ? masks : null;
  };
  for (const { name, bytes } of files) {
    const list = listOf(name);
    if (list === null && TEXT_FIELDS.includes(plainName(name))) throw fileForText(name);
    if (list === null) rest.set(name, append(rest.get(name), dataUriOf(bytes)));
    else list.push({ name, source: dataUriOf(bytes) });
  }
  for (const { name, path, value } of fieldsOf(body)) {
    const list = listOf(name);
    if (list !== null && isPicture(value))
      list.push(...sourcesIn(search, path, value).map((source) => ({ name: path, source })));
    else if (rest.has(name)) rest.set(path, append(rest.get(path), value));
    else rest.set(name, value);
  }
  return { references, masks, rest: Object.fromEntries(rest) };
}

/**
 * Returns the model's fields for pictures. Pictures for which the model has no field keep their names, by which it
 * refuses them.
 */
export function placeReferences({ parameters }: Pick<Model, 'parameters'>, sent: readonly SentMedium[]): JsonObject {
  const [frame, ...others] = sent.filter(({ name }) => FRAME.test(plainName(name)));
  const first = 'first_frame_url' in parameters && others.length === 0 ? frame : undefined;
  const rest = sent.filter((one) => one !== first);
  const list = rest.length === 0 ? {} : { image_urls: rest.map(({ source }) => source) };
  const named = Object.fromEntries(rest.map(({ name, source }) => [name, source]));
  return {
    ...(first === undefined ? {} : { first_frame_url: first.source }),
    ...('image_urls' in parameters ? list : named),
  };
}

/** Returns the refusal of a picture that was sent under two names of which the model accepts one. */
export function sentTwice(name: string, other: string): ServiceError {
  const message = `${name} and ${other} were both sent, and the model takes one of them. Send only one.`;
  return new ServiceError('invalid_request', message, { param: name });
}

/** Returns a file as a data URI without a type: the format follows from its content. */
export function dataUriOf(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}

/** Returns the plain name of a field: `initImage[0]` is `init_image`. */
function plainName(name: string): string {
  return name
    .replace(`${EXTRA}.`, '')
    .replace(/\[\d*\]$/, '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase();
}

function* fieldsOf(body: JsonObject) {
  for (const [name, value] of Object.entries(body))
    if (name !== EXTRA || !isJsonObject(value)) yield { name, path: name, value };
  const extra = body[EXTRA] ?? null;
  if (!isJsonObject(extra)) return;
  for (const [name, value] of Object.entries(extra)) yield { name, path: `${EXTRA}.${name}`, value };
}

function append(known: JsonValue | undefined, value: JsonValue): JsonValue {
  if (known === undefined) return value;
  return [...(Array.isArray(known) ? known : [known]), value];
}

/**
 * Tells whether a value is a picture. Numbers and flags under the name of a picture are settings of another kind, and
 * empty values were not sent.
 */
function isPicture(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'string' && value !== '';
}

function sourcesIn(search: MediaSearch, param: string, value: JsonValue): readonly string[] {
  const sources = search.sourcesOf(param, value);
  if (sources !== null && sources.length > 0) return sources;
  const message = `${param}: expected a URL, a data: URL, or an object with image_url or file_id.`;
  throw new ServiceError('invalid_request', message, { param });
}

function fileForText(name: string): ServiceError {
  const message = `${name}: expected a text, found a file. Send it as a part without a filename.`;
  return new ServiceError('invalid_request', message, { param: name });
}
