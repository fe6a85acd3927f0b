import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { EngineError, type OrderMedia } from '../engine.ts';

/**
 * A picture in a type that the upstream reads: as it is, else as a PNG, upright, or as a JPEG where the PNG would be too large.
 * @param types such as `image/png`
 * @param most bytes that the upstream takes
 * @throws EngineError with `took: 'no'`
 */
export async function readablePicture(media: OrderMedia, types: readonly string[], most: number): Promise<OrderMedia> {
  if (media.kind !== 'image' || types.includes(media.contentType)) return media;
  const bytes = await buffer(await media.open());
  try {
    const upright = sharp(bytes).autoOrient();
    const png = await upright.clone().png().toBuffer();
    if (png.length <= most) return asMedia(media, 'image/png', png);
    return asMedia(media, 'image/jpeg', await upright.flatten({ background: '#fff' }).jpeg({ quality: 95 }).toBuffer());
  } catch (cause) {
    const message = `${media.field}: the picture cannot be said in a type that the upstream reads (${types.join(', ')})`;
    throw new EngineError('invalid_input', message, { took: 'no', cause });
  }
}

/** Our signed address still gives the old one. */
function asMedia(media: OrderMedia, contentType: string, bytes: Buffer): OrderMedia {
  return { ...media, contentType, bytes: bytes.length, open: async () => Readable.from([bytes]), url: null };
}
