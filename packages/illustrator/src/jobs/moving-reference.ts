import { decodeFrames } from '@darkroom-service/media/decoding';
import { type Canvas, ImageData } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import type { MovingPicture } from '../painting/paint-references.ts';
import { loadReference } from './load-references.ts';
import { PaintFault, type PaintMedia } from './paint-job.ts';

/** A given film that is seen within the one being painted. */
export interface MovingReference {
  /** Shows one of its frames, from the first on. */
  readonly picture: MovingPicture;
  /** Shows the next one of the times that it was opened for. */
  next(): Promise<void>;
  close(): Promise<void>;
}

/** The longest that painting may take. The pool's own timeout is shorter. */
const TIME_LIMIT_MS = 3_600_000;

/**
 * Opens a film to read its frames in order.
 * @param length of the film in seconds; it repeats after its end.
 * @param times seconds from the beginning of the film that is being painted.
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
