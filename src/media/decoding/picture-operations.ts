import sharp from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { fitEditMask, maskOfAlpha } from './edit-mask.ts';
import { cutMargin, widen } from './frame-pictures.ts';
import {
  composeGrid,
  cutOut,
  finishPicture,
  isPicture,
  maskOf,
  overlayOriginal,
  placeOnCanvas,
} from './grid-pictures.ts';
import { isFaultOfMachine } from './machine-fault.ts';
import './sharp-settings.ts';

/** Picture operations that engines may request by name; arguments and results cross a process boundary. */
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
  widen,
  cutMargin,
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
