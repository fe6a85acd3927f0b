import { open, stat } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { type FilmFormat, measureFilm } from './measure-film.ts';
import { MediaFault } from './media-fault.ts';

/** What a file is and how large, found by its content; its name and what a sender says of it count for nothing. */
export interface Probe {
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly bytes: number;
  /** Sides as displayed: turned as the file says. Null for sound. */
  readonly width: number | null;
  readonly height: number | null;
  /** Of a film the length of its picture track, which its sound may exceed. Null for pictures. */
  readonly durationSeconds: number | null;
  readonly fps: number | null;
  /** Null for pictures. */
  readonly hasAudio: boolean | null;
}

export interface ProbeOptions {
  /** The most pixels that a picture or a film's frame may have. Judged by the header, before anything is decoded. */
  readonly maxPixels?: number;
}

export const DEFAULT_MAX_PIXELS = 64 * 2 ** 20;

// libvips would keep files open and pixels in memory for another reading that never comes; and one thread per picture leaves the rest to requests.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Measures a picture, film or sound, and reads it far enough to know that it is whole.
 * @throws MediaFault when it is nothing we know, too large, or broken.
 */
export async function probeFile(path: string, options: ProbeOptions = {}): Promise<Probe> {
  const { size: bytes } = await stat(path);
  if (bytes === 0) throw new MediaFault('corrupt', 'the file is empty');
  const head = await readHead(path);
  const format = recognize(head);
  if (format === null) {
    throw new MediaFault(
      'unsupported',
      `expected a PNG, JPEG, WebP, GIF or AVIF picture, an MP4, MOV, WebM or Matroska film, or an MP3, WAV, Ogg or FLAC sound; found ${nameOther(head)}`,
    );
  }
  const maxPixels = options.maxPixels ?? DEFAULT_MAX_PIXELS;
  return format.picture
    ? await probePicture(path, bytes, format.contentType, maxPixels)
    : { bytes, ...(await measureFilm(path, format.film, maxPixels)) };
}

/** A picture opened for decoding: upright, first frame only, and never beyond the bound on pixels. */
export function openPicture(path: string, maxPixels: number = DEFAULT_MAX_PIXELS): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, autoOrient: true });
}

async function probePicture(path: string, bytes: number, contentType: string, maxPixels: number): Promise<Probe> {
  const { width, height } = await readPictureHeader(path, contentType);
  if (width * height > maxPixels) {
    throw new MediaFault(
      'too_large',
      `expected a picture of at most ${formatMegapixels(maxPixels)} megapixels, found ${width}x${height} (${formatMegapixels(width * height)})`,
    );
  }
  try {
    await openPicture(path, maxPixels).resize(8, 8, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  } catch (error) {
    throw new MediaFault('corrupt', `the ${contentType} picture cannot be read to its end`, error);
  }
  return { kind: 'image', contentType, bytes, width, height, durationSeconds: null, fps: null, hasAudio: null };
}

async function readPictureHeader(path: string, contentType: string): Promise<{ width: number; height: number }> {
  try {
    const { autoOrient } = await sharp(path, { limitInputPixels: false }).metadata();
    return autoOrient;
  } catch (error) {
    throw new MediaFault('corrupt', `the file begins like ${contentType}, but its header cannot be read`, error);
  }
}

function formatMegapixels(pixels: number): string {
  return (pixels / 1_000_000).toFixed(1);
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

type Recognized =
  | { readonly picture: true; readonly contentType: string }
  | { readonly picture: false; readonly film: FilmFormat };

/** Only what is named here reaches a decoder: libvips would also open SVG, PDF and TIFF, and a playlist would name further files. */
function recognize(head: Buffer): Recognized | null {
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return picture('image/png');
  if (text.startsWith('\xff\xd8\xff')) return picture('image/jpeg');
  if (/^GIF8[79]a/.test(text)) return picture('image/gif');
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return picture('image/webp');
  if (/^[\s\S]{4}ftypavi[fs]/.test(text)) return picture('image/avif');
  if (/^[\s\S]{4}ftyp(?:mif1|msf1|hei[cxms]|hev[cx])/.test(text))
    return text.includes('avif') ? picture('image/avif') : null;
  if (/^[\s\S]{4}(?:ftyp|moov|mdat|wide|free|skip)/.test(text)) return film('mp4');
  if (text.startsWith('\x1a\x45\xdf\xa3')) return film('matroska');
  if (/^(?:RIFF|RF64)[\s\S]{4}WAVE/.test(text)) return film('wav');
  if (text.startsWith('OggS')) return film('ogg');
  if (text.startsWith('fLaC')) return film('flac');
  if (text.startsWith('ID3') || /^\xff[\xe2-\xff]/.test(text)) return film('mp3');
  return null;
}

/** What often stands in place of a picture. */
function nameOther(head: Buffer): string {
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^<(?:!doctype html|html|head|body)/i.test(text)) return 'a web page';
  if (/^<(?:\?xml|svg)/i.test(text)) return 'SVG or other XML';
  if (/^[{[]\s*["{[\]}]/.test(text)) return 'JSON';
  if (text.startsWith('%PDF')) return 'a PDF';
  return /^(?:II\*\0|MM\0\*)/.test(text) ? 'a TIFF' : 'something else';
}

function picture(contentType: string): Recognized {
  return { picture: true, contentType };
}

function film(format: FilmFormat): Recognized {
  return { picture: false, film: format };
}
