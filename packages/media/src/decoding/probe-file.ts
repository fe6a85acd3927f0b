import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { isFaultOfMachine } from '../machine-fault.ts';
import { MediaFault } from '../media-fault.ts';
import { type MediaLimits, UNTRUSTED_LIMITS } from '../media-limits.ts';
import type { Probe } from '../probe.ts';
import { TooFewBytes } from '../structure/picture-structure.ts';
import { walkPicture } from '../structure/walk-picture.ts';
import { checkEnd } from './check-end.ts';
import { checkFilm } from './check-film.ts';
import { measureFilm } from './measure-film.ts';
import { recognizeFile } from './recognize.ts';
import './sharp-settings.ts';

interface Header {
  readonly probe: Probe;
  /** Reason for which the file must not be decoded although its header is valid; null = it may be. */
  readonly excess: MediaFault | null;
}

/**
 * Measures a picture, video or sound, and reads far enough to verify that it is complete.
 * @throws MediaFault when its format is unsupported, or it is too large or broken.
 */
export async function probeFile(path: string, limits: MediaLimits = UNTRUSTED_LIMITS): Promise<Probe> {
  const { probe, excess } = await readHeader(path, limits);
  if (excess !== null) throw excess;
  await checkEnd(path);
  if (probe.kind === 'image') {
    await checkPixels(path, probe);
    await readToEnd(path, probe, limits);
  }
  return probe;
}

/** Measures a file without decoding a pixel. @throws MediaFault */
export async function readHeader(path: string, limits: MediaLimits): Promise<Header> {
  const { size: bytes } = await stat(path);
  if (bytes === 0) throw new MediaFault('corrupt', 'the file is empty');
  const format = await recognizeFile(path);
  if (format.picture) return await readPictureHeader(path, bytes, format.contentType, limits);
  checkFilm(path, format.film, limits.film);
  const probe: Probe = { bytes, ...(await measureFilm(path, format.film)) };
  const { width, height } = probe;
  const tooMany = width !== null && height !== null && width * height > limits.pixels;
  return { probe, excess: tooMany ? tooLarge('film', limits.pixels, width, height) : null };
}

/** Opens a picture for decoding: upright, one frame only, and at most `maxPixels`. */
export function openPicture(path: string, maxPixels: number = UNTRUSTED_LIMITS.pixels, page = 0): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, autoOrient: true, page });
}

/** Returns the error for a picture that could not be decoded: the file is at fault, unless this machine is. */
export function explainDecoding(contentType: string, error: unknown): unknown {
  if (isFaultOfMachine(error)) return error;
  return new MediaFault('corrupt', `the ${contentType} file is damaged or incomplete`, error);
}

/** Refuses a picture whose bytes cannot hold its pixels, since decoders fill in missing pixels. */
async function checkPixels(path: string, { contentType }: Probe): Promise<void> {
  const walk = walkPicture(contentType);
  for await (const piece of createReadStream(path)) await walk.add(piece);
  try {
    walk.end();
  } catch (error) {
    // Decoding proves the rest, and accepts pictures that only look damaged.
    if (error instanceof MediaFault && error.cause instanceof TooFewBytes) throw error;
  }
}

async function readToEnd(path: string, { contentType }: Probe, limits: MediaLimits): Promise<void> {
  try {
    await openPicture(path, limits.pixels).resize(8, 8, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  } catch (error) {
    throw explainDecoding(contentType, error);
  }
}

async function readPictureHeader(
  path: string,
  bytes: number,
  contentType: string,
  limits: MediaLimits,
): Promise<Header> {
  const metadata = await readMetadata(path, contentType);
  const { width, height } = metadata.autoOrient;
  const most = Math.min(limits.pixels, Math.floor(limits.decodedBytes / bytesPerPixel(contentType, metadata)));
  return {
    probe: { kind: 'image', contentType, bytes, width, height, durationSeconds: null, fps: null, hasAudio: null },
    excess: width * height > most ? tooLarge(wordFor(contentType, metadata), most, width, height) : null,
  };
}

async function readMetadata(path: string, contentType: string): Promise<Metadata> {
  try {
    return await sharp(path, { limitInputPixels: false }).metadata();
  } catch (error) {
    if (isFaultOfMachine(error)) throw error;
    throw new MediaFault(
      'corrupt',
      `the file begins like ${contentType}, but its header is damaged or incomplete`,
      error,
    );
  }
}

/** Returns the decoder's memory per pixel if the format is decoded as a whole; other formats are decoded row by row. */
function bytesPerPixel(contentType: string, { isProgressive, depth }: Metadata): number {
  const deep = depth !== 'uchar';
  if (contentType === 'image/avif') return deep ? 24 : 16;
  if (contentType === 'image/gif' || contentType === 'image/webp') return 8;
  if (isProgressive !== true) return 1;
  return deep ? 16 : 8;
}

function wordFor(contentType: string, { isProgressive }: Metadata): string {
  const name = contentType.slice('image/'.length).toUpperCase();
  if (isProgressive !== true) return `${name} image`;
  return `${contentType === 'image/png' ? 'interlaced' : 'progressive'} ${name} image`;
}

function tooLarge(what: string, most: number, width: number, height: number): MediaFault {
  const found = `${width}x${height} (${formatMegapixels(width * height)})`;
  const article = /^[AEIOU]/i.test(what) ? 'an' : 'a';
  const message = `expected ${article} ${what} of at most ${formatMegapixels(most)} megapixels, found ${found}`;
  return new MediaFault('too_large', message);
}

function formatMegapixels(pixels: number): string {
  return (pixels / 1_000_000).toFixed(1);
}
