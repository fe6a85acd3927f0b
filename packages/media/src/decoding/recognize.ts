import { open } from 'node:fs/promises';
import { MediaFault } from '../media-fault.ts';

export type FilmFormat = 'mp4' | 'matroska' | 'wav' | 'ogg' | 'flac' | 'mp3';

export type Recognized =
  | { readonly picture: true; readonly contentType: string }
  | { readonly picture: false; readonly film: FilmFormat };

/** Number of first bytes that suffice to recognize any format. */
export const HEAD_BYTES = 64;

/** Determines the format from the file's first bytes. @throws MediaFault `unsupported` */
export async function recognizeFile(path: string): Promise<Recognized> {
  const head = await readHead(path);
  const format = recognize(head);
  if (format !== null) return format;
  throw new MediaFault(
    'unsupported',
    `expected a PNG, JPEG, WebP, GIF or AVIF image, an MP4, MOV, WebM or Matroska video, or an MP3, WAV, Ogg or FLAC audio file; found ${nameOther(head)}`,
  );
}

/** Returns a file's first bytes. */
export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Recognizes a format by its first bytes. Only the formats listed here reach a decoder, and TIFF only in results:
 * libvips would also open SVG and PDF, and a playlist could reference further files.
 */
export function recognize(head: Buffer): Recognized | null {
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

/** Tells whether a file begins like a TIFF: the decoder reads it, and browsers do not show it. */
export function isTiff(head: Buffer): boolean {
  return /^(?:II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4));
}

/** File types that cameras, phones and editors write, with advice. */
const OTHERS: readonly (readonly [beginning: RegExp, name: string])[] = [
  [/^[\s\S]{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/, 'an HEIC image; save it as a JPEG or PNG'],
  [/^BM[\s\S]{4}\0{4}/, 'a BMP image; save it as a PNG'],
  [/^RIFF[\s\S]{4}AVI /, 'an AVI video; save it as an MP4'],
];

/** Names file types that are often sent by mistake. */
function nameOther(head: Buffer): string {
  const known = OTHERS.find(([beginning]) => beginning.test(head.toString('latin1')));
  if (known !== undefined) return known[1];
  if (isTiff(head)) return 'a TIFF image; save it as a PNG or JPEG';
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^<(?:!doctype html|html|head|body)/i.test(text)) return 'a web page';
  if (/^<(?:\?xml|svg)/i.test(text)) return 'SVG or other XML';
  if (/^[{[]\s*["{[\]}]/.test(text)) return 'JSON';
  return text.startsWith('%PDF') ? 'a PDF' : 'something else';
}

function picture(contentType: string): Recognized {
  return { picture: true, contentType };
}

function film(format: FilmFormat): Recognized {
  return { picture: false, film: format };
}
