import sharp from 'sharp';

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
