import sharp from 'sharp';
import './sharp-settings.ts';
import { isFaultOfMachine } from '../machine-fault.ts';
import { MediaFault } from '../media-fault.ts';
import { OUTPUT_LIMITS, UNTRUSTED_LIMITS } from '../media-limits.ts';
import type { Sides } from '../picture-geometry.ts';
import { fitEditMask, maskOfAlpha } from './edit-mask.ts';
import {
  composeGrid,
  cutOut,
  finishPicture,
  isPicture,
  maskOf,
  overlayOriginal,
  placeOnCanvas,
} from './grid-pictures.ts';
import { joinFilms } from './join-films.ts';
import { lastFrame } from './last-frame.ts';
import { sampleFrames } from './sample-frames.ts';

/** Operations on pictures and films that engines may request by name. All values cross a process boundary. */
const OPERATIONS = {
  cutOut,
  placeOnCanvas,
  maskOf,
  overlayOriginal,
  composeGrid,
  finishPicture,
  isPicture,
  fitEditMask,
  maskOfAlpha,
  convertPicture,
  convertTiff,
  widen,
  cutMargin,
  joinFilms,
  lastFrame,
  sampleFrames,
};

export type PictureOperations = typeof OPERATIONS;

/** Runs an operation. @throws MediaFault when a picture cannot be read */
export async function editPicture(operation: keyof PictureOperations, args: readonly unknown[]): Promise<unknown> {
  const run = OPERATIONS[operation] as (...args: readonly unknown[]) => Promise<unknown>;
  try {
    return await run(...args);
  } catch (error) {
    if (isFaultOfMachine(error) || error instanceof MediaFault) throw error;
    throw new MediaFault('corrupt', 'the image cannot be read', error);
  }
}

/** Converts a picture to an upright PNG in RGB, or to a JPEG if the PNG would exceed `most` bytes. */
async function convertPicture(
  bytes: Uint8Array,
  most: number,
): Promise<{ readonly contentType: 'image/png' | 'image/jpeg'; readonly bytes: Uint8Array }> {
  const upright = sharp(bytes, { limitInputPixels: UNTRUSTED_LIMITS.pixels }).autoOrient().toColourspace('srgb');
  const png = await upright.clone().png().toBuffer();
  if (png.length <= most) return { contentType: 'image/png', bytes: png };
  const jpeg = await upright.flatten({ background: '#fff' }).jpeg({ quality: 95 }).toBuffer();
  return { contentType: 'image/jpeg', bytes: jpeg };
}

/** Converts a TIFF, which browsers do not show, to an upright PNG. */
async function convertTiff(path: string): Promise<Uint8Array> {
  const tiff = sharp(path, { limitInputPixels: OUTPUT_LIMITS.pixels, failOn: 'error' });
  if ((await tiff.metadata()).format !== 'tiff') throw new MediaFault('corrupt', 'the TIFF image cannot be read');
  return await tiff.autoOrient().png().toBuffer();
}

/**
 * Resizes a picture to `inner` and continues its edges to `outer`, the same on opposite sides. Returns a PNG in RGB.
 */
async function widen(picture: Uint8Array, inner: Sides, outer: Sides): Promise<Buffer> {
  const { left, top } = marginOf(inner, outer);
  const fitted = sharp(picture)
    .autoOrient()
    .resize({ ...inner, fit: 'fill' });
  const right = outer.width - inner.width - left;
  const bottom = outer.height - inner.height - top;
  return await fitted.extend({ left, top, right, bottom, extendWith: 'mirror' }).toColourspace('srgb').png().toBuffer();
}

/** Cuts the margin of `widen` off a picture of the size `outer`; returns a picture of another size unchanged. */
async function cutMargin(picture: Uint8Array, inner: Sides, outer: Sides): Promise<Uint8Array> {
  const { width, height, format } = await sharp(picture).metadata();
  if (width !== outer.width || height !== outer.height) return picture;
  const cut = sharp(picture).extract({ ...marginOf(inner, outer), ...inner });
  return await cut.toFormat(format, { quality: 95 }).toBuffer();
}

function marginOf(inner: Sides, outer: Sides): { left: number; top: number } {
  return { left: Math.floor((outer.width - inner.width) / 2), top: Math.floor((outer.height - inner.height) / 2) };
}
