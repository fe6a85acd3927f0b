import { decodeFrames } from '@darkroom-service/media/decoding';
import { type Canvas, ImageData } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import type { MovingPicture } from '../painting/paint-references.ts';
import { loadReference } from './load-references.ts';
import { PaintFault, type PaintMedia } from './paint-job.ts';

/** A film from the order that is visible within the painted one. */
export interface MovingReference {
  /** Canvas that shows the current frame, at first the first one. */
  readonly picture: MovingPicture;
  /** Shows the frame at the next of the times given on opening. */
  next(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum milliseconds of painting. The pool's own timeout is shorter. */
const TIME_LIMIT_MS = 3_600_000;

/**
 * Opens a film to read its frames in order.
 * @param length seconds of the film, which repeats after its end.
 * @param times seconds from the beginning of the painted film.
 * @throws PaintFault when it cannot be decoded.
 */
export async function openMovingReference(
  medium: PaintMedia,
  length: number,
  times: readonly number[],
): Promise<MovingReference> {
  const picture = Object.assign(await loadReference(medium), { moving: true } as const);
  const seen = times.map((time) => time % length);
  const frames = decodeFrames(medium.path, medium.contentType, seen, TIME_LIMIT_MS);
  return {
    picture,
    async next() {
      try {
        const { value: frame } = await frames.next();
        if (frame !== undefined) await show(picture, frame as Sharp);
      } catch (error) {
        throw new PaintFault('invalid_input', `the film in ${medium.field} cannot be read to its end`, error);
      }
    },
    async close() {
      await frames.return(undefined);
    },
  };
}

async function show(canvas: Canvas, frame: Sharp): Promise<void> {
  const { width, height } = canvas;
  const data = await frame.resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
}
