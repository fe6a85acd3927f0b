import { decodeFrame, openPicture } from '@darkroom-service/media/decoding';
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import { type Grain, grainOf } from '../painting/texture.ts';
import { PaintFault, type PaintMedia } from './paint-job.ts';

/** Maximum pixels of a side: larger pictures gain nothing by being read in full size. */
const LONGEST_SIDE = 2048;
const GRAIN_SIDE = 640;
/** Radius in pixels; coarser details count as shapes. */
const GRAIN_BLUR = 3;

/** Loads a reference for painting: of a film, the first frame. @throws PaintFault when it cannot be read. */
export async function loadReference(medium: PaintMedia): Promise<Canvas> {
  const picture = await openReference(medium);
  return await toCanvas(
    picture.resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true }),
    medium.field,
  );
}

/** Loads a picture in its exact size. @throws PaintFault when it cannot be read. */
export async function loadWhole(medium: PaintMedia): Promise<Canvas> {
  return await toCanvas(await openReference(medium), medium.field);
}

/** Loads a picture's grain, from a small copy. @throws PaintFault when it cannot be read. */
export async function loadGrain(medium: PaintMedia): Promise<Grain> {
  const picture = (await openReference(medium)).resize(GRAIN_SIDE, GRAIN_SIDE, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  return grainOf(await decode(picture.clone(), medium.field), await decode(picture.blur(GRAIN_BLUR), medium.field));
}

/** Returns the mean colour of each quarter of a picture, as `#rrggbb`. @throws PaintFault when it cannot be read. */
export async function readColours(medium: PaintMedia): Promise<readonly string[]> {
  const picture = await openReference(medium);
  const { data } = await decode(picture.flatten({ background: '#ffffff' }).resize(2, 2, { fit: 'fill' }), medium.field);
  return [0, 4, 8, 12].map((at) => `#${data.subarray(at, at + 3).toString('hex')}`);
}

async function openReference({ path, contentType, kind, field }: PaintMedia): Promise<Sharp> {
  if (kind === 'image') return openPicture(path);
  const frame = await decodeFrame(path, contentType, 0);
  if (frame !== null) return frame;
  throw new PaintFault(
    'invalid_input',
    `the film in ${field} cannot be decoded: it is of an unusual kind, or this service decodes no films`,
  );
}

async function toCanvas(picture: Sharp, field: string): Promise<Canvas> {
  const { data, width, height } = await decode(picture, field);
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas;
}

async function decode(picture: Sharp, field: string): Promise<{ data: Buffer; width: number; height: number }> {
  try {
    const { data, info } = await picture
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    throw new PaintFault('invalid_input', `the picture in ${field} cannot be read`, error);
  }
}
