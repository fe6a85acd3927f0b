import sharp from 'sharp';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';

/**
 * Converts a mask to the PNG that OpenAI expects: as large as the picture, and transparent where ours is white (where
 * the picture changes).
 */
export async function fitEditMask(mask: Uint8Array, picture: Uint8Array): Promise<Uint8Array> {
  const { width, height, autoOrient } = await sharp(picture).metadata();
  const size = { width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
  const alpha = await sharp(mask)
    .flatten({ background: '#000' })
    .resize({ ...size, fit: 'fill' })
    .greyscale()
    .negate()
    .raw()
    .toBuffer();
  return await sharp({ create: { ...size, channels: 3, background: '#000' } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
}

/**
 * Converts a mask in OpenAI's format to ours: white where it is transparent, which is where the picture changes. A mask
 * without transparency counts as one of ours.
 */
export async function maskOfAlpha(mask: Uint8Array): Promise<Uint8Array> {
  const picture = sharp(mask, { limitInputPixels: UNTRUSTED_LIMITS.pixels });
  const { hasAlpha } = await picture.metadata();
  if (!hasAlpha) return await picture.greyscale().png().toBuffer();
  return await picture.extractChannel('alpha').negate().toColourspace('b-w').png().toBuffer();
}
