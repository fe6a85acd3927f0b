import sharp from 'sharp';
import type { Sides } from '../picture-geometry.ts';

/**
 * Resizes a picture to `inner` and continues its edges to `outer`, the same on opposite sides. Returns a PNG in RGB.
 */
export async function widen(picture: Uint8Array, inner: Sides, outer: Sides): Promise<Buffer> {
  const { left, top } = marginOf(inner, outer);
  const fitted = sharp(picture)
    .autoOrient()
    .resize({ ...inner, fit: 'fill' });
  const right = outer.width - inner.width - left;
  const bottom = outer.height - inner.height - top;
  return await fitted.extend({ left, top, right, bottom, extendWith: 'mirror' }).toColourspace('srgb').png().toBuffer();
}

/** Cuts the margin of `widen` off a picture of the size `outer`; one of another size is returned as it is. */
export async function cutMargin(picture: Uint8Array, inner: Sides, outer: Sides): Promise<Uint8Array> {
  const { width, height, format } = await sharp(picture).metadata();
  if (width !== outer.width || height !== outer.height) return picture;
  const cut = sharp(picture).extract({ ...marginOf(inner, outer), ...inner });
  return await cut.toFormat(format, { quality: 95 }).toBuffer();
}

function marginOf(inner: Sides, outer: Sides): { left: number; top: number } {
  return { left: Math.floor((outer.width - inner.width) / 2), top: Math.floor((outer.height - inner.height) / 2) };
}
