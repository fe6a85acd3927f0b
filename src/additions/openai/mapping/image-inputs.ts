import { type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { MediaFault } from '@darkroom-service/media';
import type { TaskServices } from '../../../kernel.ts';
import { parseDataUri } from '../../../kernel-http.ts';

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

/** Serializers write the brackets where a field may have several values. */
const IMAGE_NAME = /^images?(\[\d*\])?$/;
const MASK_NAME = /^mask(\[\d*\])?$/;

/** Tells whether a field holds an image or a mask. */
export function isInputField(name: string): boolean {
  return IMAGE_NAME.test(name) || MASK_NAME.test(name);
}

/**
 * Takes the images of a form: files and texts named `image`, `image[]` or `image[0]`, and one `mask`.
 * @param maxBytes of a mask
 * @throws ServiceError
 */
export function inputsOfForm(files: readonly FormFile[], fields: JsonObject, maxBytes: number): ImageInputs {
  const images = files.filter(({ name }) => IMAGE_NAME.test(name)).map(({ bytes }) => dataUriOf(bytes));
  const texts = inputsOfJson(fields, maxBytes);
  const masks = files.filter(({ name }) => MASK_NAME.test(name));
  if (masks.length + (texts.mask === null ? 0 : 1) > 1) throw severalMasks();
  return { images: [...images, ...texts.images], mask: masks[0]?.bytes ?? texts.mask };
}

/**
 * Takes the images of a JSON body: texts, or objects with `image_url` or `file_id`.
 * @param maxBytes of a mask
 * @throws ServiceError
 */
export function inputsOfJson(body: JsonObject, maxBytes: number): ImageInputs {
  const images = valuesNamed(body, IMAGE_NAME);
  const [mask = null, ...others] = valuesNamed(body, MASK_NAME);
  if (others.length > 0) throw severalMasks();
  return {
    images: images.map((value) => sourceOf(value, 'image')),
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

/** Values of the fields of that name, those of lists one by one; null counts as not sent. */
function valuesNamed(body: JsonObject, name: RegExp): JsonValue[] {
  const sent = Object.entries(body).filter(([field]) => name.test(field));
  return sent.flatMap(([, value]) => listOf(value)).filter((value) => value !== null);
}

/** Texts of a form that were named `image[0]`, `image[1]` come as an object with these numbers. */
function listOf(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isIndexed = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isIndexed ? entries.map(([, one]) => one) : [value ?? null];
}

function severalMasks(): ServiceError {
  const message = 'mask: expected one mask, found several. Send one whose transparent part covers all changes.';
  return new ServiceError('invalid_request', message, { param: 'mask' });
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

/** Returns a file as a data URI without a type: its content tells the format. */
export function dataUriOf(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
