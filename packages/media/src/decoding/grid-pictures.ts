import sharp, { type Sharp } from 'sharp';
import type { Area, Sides } from '../picture-geometry.ts';

/** Width, height and format of an output. */
interface Plan extends Sides {
  readonly format: string;
}

/** Width of the seam in which old and new blend, as a share of the shorter side. */
const FEATHER = 0.02;
const WHITE = { r: 255, g: 255, b: 255 };
const BLACK = { r: 0, g: 0, b: 0 };

/** Crops a part of a picture (in fractions of its sides) and resizes it to a PNG. */
export async function cutOut(picture: Uint8Array, crop: Area, size: Sides): Promise<Buffer> {
  const upright = await sharp(picture).rotate().toBuffer({ resolveWithObject: true });
  const { width, height } = upright.info;
  const part = sharp(upright.data).extract(pixelsOf(crop, { width, height }));
  return await part
    .removeAlpha()
    .resize({ ...size, fit: 'fill' })
    .png()
    .toBuffer();
}

/**
 * Places the picture on a canvas of the output's size. The rest is filled with the picture's own colours, strongly
 * blurred, as a start for the upstream.
 */
export async function placeOnCanvas(picture: Uint8Array, place: Area, size: Sides): Promise<Buffer> {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const { left, top, width, height } = pixelsOf(place, size);
  const inner = await cutOut(picture, whole, { width, height });
  if (width === size.width && height === size.height) return inner;
  const around = sharp(await cutOut(picture, whole, size)).blur(Math.max(2, Math.min(size.width, size.height) / 16));
  return await sharp(await around.png().toBuffer())
    .composite([{ input: inner, left, top }])
    .removeAlpha()
    .png()
    .toBuffer();
}

/**
 * Makes the mask: white where the upstream generates, black where the picture stays. Without the customer's mask,
 * everything around the picture is white.
 */
export async function maskOf(mask: Uint8Array | null, place: Area, size: Sides): Promise<Buffer> {
  if (mask !== null) {
    const flat = sharp(mask)
      .rotate()
      .flatten({ background: BLACK })
      .resize({ ...size, fit: 'fill' });
    // Contract §7: pixels with a luminance of at least half are changed.
    return await flat.greyscale().threshold(128).png().toBuffer();
  }
  const seam = Math.round(Math.min(size.width, size.height) * FEATHER);
  const outer = pixelsOf(place, size);
  // Only edges next to generated content get a seam.
  const left = outer.left + (outer.left > 0 ? seam : 0);
  const top = outer.top + (outer.top > 0 ? seam : 0);
  const right = outer.left + outer.width - (outer.left + outer.width < size.width ? seam : 0);
  const bottom = outer.top + outer.height - (outer.top + outer.height < size.height ? seam : 0);
  const kept = { width: Math.max(1, right - left), height: Math.max(1, bottom - top), channels: 3 as const };
  const stays = await sharp({ create: { ...kept, background: BLACK } })
    .png()
    .toBuffer();
  const canvas = sharp({ create: { ...size, channels: 3, background: WHITE } });
  return await canvas
    .composite([{ input: stays, left, top }])
    .removeAlpha()
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** Overlays the original picture where the mask is black, so that the preserved parts stay as sharp as before. */
export async function overlayOriginal(
  made: Uint8Array,
  canvas: Uint8Array,
  mask: Uint8Array,
  plan: Plan,
): Promise<Buffer> {
  const size = { width: plan.width, height: plan.height };
  // With 8-bit values, a blur would not preserve black and white exactly.
  const soft = Math.max(1, Math.min(plan.width, plan.height) * FEATHER * 0.4);
  const softened = await sharp(mask).blur({ sigma: soft, precision: 'float' }).png().toBuffer();
  const alpha = await sharp(softened).negate().extractChannel(0).raw().toBuffer();
  const old = await sharp(canvas)
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
  const base = await sharp(made)
    .rotate()
    .removeAlpha()
    .resize({ ...size, fit: 'fill' })
    .png()
    .toBuffer();
  return await encode(sharp(base).composite([{ input: old }]), plan.format);
}

/** Combines four pictures: top left, top right, bottom left, bottom right. */
export async function composeGrid(pictures: readonly Uint8Array[], plan: Plan): Promise<Buffer> {
  const size = { width: plan.width, height: plan.height };
  const tiles = await Promise.all(
    pictures.slice(0, 4).map(async (picture, tile) => {
      const share = { x: (tile % 2) / 2, y: Math.floor(tile / 2) / 2, width: 0.5, height: 0.5 };
      const { left, top, width, height } = pixelsOf(share, size);
      const fitted = sharp(picture).rotate().removeAlpha().resize({ width, height, fit: 'fill' });
      return { input: await fitted.png().toBuffer(), left, top };
    }),
  );
  return await encode(sharp({ create: { ...size, channels: 3, background: BLACK } }).composite(tiles), plan.format);
}

/** Resizes and encodes a picture as promised. */
export async function finishPicture(picture: Uint8Array, plan: Plan): Promise<Buffer> {
  const { width, height } = plan;
  return await encode(sharp(picture).rotate().resize({ width, height, fit: 'fill' }), plan.format);
}

export async function isPicture(bytes: Uint8Array): Promise<boolean> {
  return await sharp(bytes)
    .metadata()
    .then(
      () => true,
      () => false,
    );
}

async function encode(picture: Sharp, format: Plan['format']): Promise<Buffer> {
  if (format === 'jpeg') return await picture.jpeg({ quality: 95 }).toBuffer();
  if (format === 'webp') return await picture.webp({ quality: 95 }).toBuffer();
  return await picture.png().toBuffer();
}

function pixelsOf(area: Area, { width, height }: Sides) {
  const left = Math.min(width - 1, Math.max(0, Math.round(area.x * width)));
  const top = Math.min(height - 1, Math.max(0, Math.round(area.y * height)));
  const right = Math.min(width, Math.max(left + 1, Math.round((area.x + area.width) * width)));
  const bottom = Math.min(height, Math.max(top + 1, Math.round((area.y + area.height) * height)));
  return { left, top, width: right - left, height: bottom - top };
}
