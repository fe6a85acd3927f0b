import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import { decodeFrame } from '../../media/decode-frame.ts';
import { openPicture } from '../../media/probe.ts';
import { CodecsMissing } from './film.ts';
import { PaintFault, type PaintMedia } from './paint-job.ts';

/** Larger pictures gain nothing by being read whole. */
const LONGEST_SIDE = 2048;

/** A reference as it can be painted with: of a film its first frame. @throws PaintFault when it cannot be read. */
export async function loadReference(medium: PaintMedia): Promise<Canvas> {
  const picture = await openReference(medium);
  return await toCanvas(
    picture.resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true }),
    medium.field,
  );
}

/** A picture in its own size, to the pixel. @throws PaintFault when it cannot be read. */
export async function loadWhole(medium: PaintMedia): Promise<Canvas> {
  return await toCanvas(await openReference(medium), medium.field);
}

/** What a picture is made of, as `#rrggbb`: the mean of each quarter. */
export async function readColours(medium: PaintMedia): Promise<readonly string[]> {
  const picture = await openReference(medium);
  const pixels = await picture
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(2, 2, { fit: 'fill' })
    .raw()
    .toBuffer();
  return [0, 3, 6, 9].map((at) => `#${pixels.subarray(at, at + 3).toString('hex')}`);
}

async function openReference({ path, contentType, kind, field }: PaintMedia): Promise<Sharp> {
  if (kind === 'image') return openPicture(path);
  const frame = await decodeFrame(path, contentType, 0);
  if (frame !== null) return frame;
  throw new PaintFault(
    'invalid_input',
    `the film in ${field} cannot be decoded; either it is of an unusual kind, or ${new CodecsMissing().message}`,
  );
}

async function toCanvas(picture: Sharp, field: string): Promise<Canvas> {
  try {
    const { data, info } = await picture
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const canvas = createCanvas(info.width, info.height);
    canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), info.width, info.height), 0, 0);
    return canvas;
  } catch (error) {
    throw new PaintFault('invalid_input', `the picture in ${field} cannot be read`, error);
  }
}
