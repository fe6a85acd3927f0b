import { Readable } from 'node:stream';
import { isRetryable } from '@darkroom-service/media';
import { EngineError, type OrderMedia } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { bytesOf } from './bytes-of.ts';

export interface ReadableTypes {
  /** The picture types that the upstream reads as they are, such as `image/png`; none = every picture is converted. */
  readonly types: readonly string[];
  readonly tools: PictureTools;
}

/**
 * Returns a picture in a type that the upstream reads: unchanged if possible, else as an upright PNG in RGB, or as a
 * JPEG if the PNG would be too large.
 * @param most bytes that the upstream accepts
 * @throws EngineError with `took: 'no'`
 */
export async function readablePicture(
  media: OrderMedia,
  { types, tools }: ReadableTypes,
  most: number,
): Promise<OrderMedia> {
  if (media.kind !== 'image' || types.includes(media.contentType)) return media;
  const given = await bytesOf(media);
  try {
    const { contentType, bytes } = await tools.edit('convertPicture', [given, most], {
      owner: media.keyId ?? 'engine',
    });
    // Our signed URL still serves the original.
    return {
      ...media,
      contentType,
      bytes: bytes.length,
      open: async () => Readable.from([Buffer.from(bytes)]),
      url: null,
    };
  } catch (cause) {
    if (isRetryable(cause)) {
      const message = `${media.field}: the picture cannot be converted right now`;
      throw new EngineError('busy', message, { took: 'no', cause });
    }
    const message = `${media.field}: the picture cannot be converted to a type that the upstream reads`;
    throw new EngineError('invalid_input', message, { took: 'no', cause });
  }
}
