import type { Sharp } from 'sharp';
import sharp from 'sharp';
import { MediaFault } from '../media-fault.ts';
import { OUTPUT_LIMITS } from '../media-limits.ts';
import { decodeFrames } from './decode-frame.ts';
import { openPicture, readHeader } from './probe-file.ts';

/**
 * Returns frames of a picture or film, spread evenly over it, as squares that show the whole frame.
 * @param side width and height of a square, in pixels
 * @param most maximum number of frames
 * @returns red, green and blue of each pixel, one byte each, by rows; at least one frame
 * @throws MediaFault if the file is neither, or the codecs for a film are not installed
 */
export async function sampleFrames(path: string, side: number, most: number): Promise<Uint8Array[]> {
  const { probe, excess } = await readHeader(path, OUTPUT_LIMITS);
  if (excess !== null) throw excess;
  const frames: Uint8Array[] = [];
  if (probe.kind === 'image') {
    const { pages = 1 } = await sharp(path, { limitInputPixels: OUTPUT_LIMITS.pixels }).metadata();
    for (const page of spread(pages, most))
      frames.push(await squareOf(openPicture(path, OUTPUT_LIMITS.pixels, page), side));
  } else if (probe.kind === 'video') {
    const { durationSeconds, fps } = probe;
    const count = Math.max(1, Math.floor((durationSeconds ?? 0) * (fps ?? 0)));
    const times = spread(count, most).map((frame) => (frame / count) * (durationSeconds ?? 0));
    for await (const frame of decodeFrames(path, probe.contentType, times)) frames.push(await squareOf(frame, side));
  }
  if (frames.length === 0) throw new MediaFault('unsupported', `no frame of ${probe.contentType} can be decoded`);
  return frames;
}

/** Returns at most `most` of the numbers below `count`, evenly spread. */
function spread(count: number, most: number): number[] {
  const chosen = Math.min(count, most);
  return Array.from({ length: chosen }, (_, index) => Math.floor((index * count) / chosen));
}

function squareOf(frame: Sharp, side: number): Promise<Buffer> {
  const square = frame.flatten({ background: '#fff' }).resize(side, side, { fit: 'fill' });
  return square.toColourspace('srgb').raw().toBuffer();
}
