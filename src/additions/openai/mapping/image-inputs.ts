import { ServiceError } from '@darkroom-service/contract/errors';
import type { JsonObject, JsonValue } from '@darkroom-service/contract/json';
import { MediaFault } from '@darkroom-service/media/media-fault';
import { parseDataUri } from '../../../base/data-uri.ts';
import type { TaskServices } from '../../../tasks/task-services.ts';

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The images of an edit or a variation. */
export interface ImageInputs {
  /** Data URIs, URLs, or `upload:<file_id>`. */
  readonly images: readonly string[];
  /** A file in OpenAI's manner: transparent where the image changes. */
  readonly mask: Uint8Array | null;
}

/** Names of the fields that are read here. */
export const INPUT_FIELDS = ['image', 'image[]', 'images', 'mask'];

/** Takes the images of a form: `image`, or `image[]` for several, and `mask`. Other files are ignored by the caller. */
export function inputsOfForm(files: readonly FormFile[]): ImageInputs {
  const images = files.filter(({ name }) => /^images?(\[\d*\])?$/.test(name)).map(({ bytes }) => dataUriOf(bytes));
  return { images, mask: files.find(({ name }) => name === 'mask')?.bytes ?? null };
}

/**
 * Takes the images of a JSON body: texts, or objects with `image_url` or `file_id`.
 * @param maxBytes of a mask
 * @throws ServiceError
 */
export function inputsOfJson(body: JsonObject, maxBytes: number): ImageInputs {
  const sent = ['image', 'image[]', 'images'].flatMap((name) => [body[name] ?? []].flat() as JsonValue[]);
  const mask = body.mask ?? null;
  return {
    images: sent.map((value) => sourceOf(value, 'image')),
    mask: mask === null ? null : readMask(mask, maxBytes),
  };
}

/** Converts the images to our own fields. @throws ServiceError `invalid_reference` for a mask that cannot be read */
export async function mediaFields(
  services: Pick<TaskServices, 'media'>,
  keyId: string,
  { images, mask }: ImageInputs,
): Promise<JsonObject> {
  if (images.length === 0)
    throw new ServiceError('missing_reference', 'image is missing. Send at least one image.', { param: 'image' });
  if (mask === null) return { image_urls: images };
  try {
    const bytes = await services.media.edit('maskOfAlpha', [mask], { owner: keyId });
    return { image_urls: images, mask_url: dataUriOf(bytes) };
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error;
    throw new ServiceError('invalid_reference', `mask: ${error.message}.`, { param: 'mask', cause: error });
  }
}

function sourceOf(value: JsonValue, param: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { image_url: url, file_id: file } = value as JsonObject;
    if (typeof url === 'string') return url;
    if (typeof file === 'string') return file.startsWith('upload:') ? file : `upload:${file}`;
  }
  const message = `${param}: expected a URL, a data: URL, or an object with image_url or file_id.`;
  throw new ServiceError('invalid_request', message, { param });
}

/** The mask is converted before the order is placed, so it must come with the request. */
function readMask(value: JsonValue, maxBytes: number): Uint8Array {
  const parsed = parseDataUri(sourceOf(value, 'mask'), { maxBytes });
  if (parsed.ok) return parsed.data;
  const message = `mask: ${parsed.message}. Send a mask as data: URL, or as a file of a multipart form.`;
  throw new ServiceError('invalid_reference', message, { param: 'mask' });
}

/** Only the content tells what a file is. */
export function dataUriOf(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
