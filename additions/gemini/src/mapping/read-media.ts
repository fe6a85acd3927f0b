import { isJsonObject, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { field, invalid } from './read-values.ts';

/** A file that a request carries. */
export interface Medium {
  readonly kind: 'image' | 'video' | 'audio';
  /** A URL, a data URI, `upload:<file_id>` or `task:<task_id>`. */
  readonly source: string;
}

/** Names of a file's content, and of its address, in Google's objects. */
const CONTENTS = ['data', 'bytesBase64Encoded', 'imageBytes', 'encodedVideo', 'videoBytes'];
const ADDRESSES = ['uri', 'fileUri', 'gcsUri'];
/** Address of a file of this interface, whose name is the id of its task without the underscore. */
const OWN_FILE = /\/gemini\/(?:[^?#]*\/)?files\/(vid|img)([0-9a-z]{26}):download/;

/**
 * Reads a file: base64 beside its type, or an address.
 * @param param the field, for errors
 * @param kind the kind of a file without a type
 * @throws ServiceError
 */
export function readMedium(value: JsonValue, param: string, kind: Medium['kind'] = 'image'): Medium {
  if (!isJsonObject(value)) throw invalid(param, `expected an object with data or uri, found ${describeValue(value)}`);
  const type = field(value, 'mimeType') ?? value.encoding ?? null;
  const [, named] = /^(image|video|audio)\//.exec(typeof type === 'string' ? type : '') ?? [];
  return { kind: (named as Medium['kind'] | undefined) ?? kind, source: sourceOf(value, param) };
}

function sourceOf(value: JsonObject, param: string): string {
  const content = textIn(value, CONTENTS);
  if (content !== null) return `data:application/octet-stream;base64,${plainBase64(content)}`;
  const address = textIn(value, ADDRESSES);
  if (address === null) throw invalid(param, 'expected data in base64, or a uri');
  const [, type, rest] = OWN_FILE.exec(address) ?? [];
  return type === undefined ? address : `task:${type}_${rest}`;
}

function textIn(value: JsonObject, names: readonly string[]): string | null {
  const found = names.map((name) => field(value, name)).find((one) => typeof one === 'string' && one !== '');
  return (found as string | undefined) ?? null;
}

/** Returns base64 in the usual alphabet: Google's Python client writes the one for URLs. */
function plainBase64(text: string): string {
  return /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
}
