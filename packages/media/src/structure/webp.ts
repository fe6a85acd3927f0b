import type { ArrivingFile, Reading } from './arriving-file.ts';
import { isTurned, MOST_EXIF_BYTES } from './exif.ts';
import {
  assertHolds,
  BrokenStructure,
  CUT_OFF,
  type PictureStructure,
  structureOf,
  whole,
} from './picture-structure.ts';

const PIXELS: readonly string[] = ['VP8 ', 'VP8L', 'ANMF'];
const READ_BYTES = 10;
const WHOLE_BYTES_PER_PIXEL = 8;

/**
 * VP8: a block of 16×16 pixels takes at least 3.42 bits, by the fixed probabilities of the modes of its brightness
 * (2.57) and its colours (0.85). A code of VP8L can take no bits, so its bytes give no bound.
 */
const MOST_PIXELS_PER_BYTE = 600;

/** Maximum ratio of a large animation's pixels to those of its frames; pixels that no frame covers are transparent. */
const MOST_CLEAR = 64;
const MOST_CLEAR_PIXELS = 2 ** 20;
/** Bytes of a frame's header and the name of its first part. */
const FRAME_HEAD_BYTES = 20;

/** Reads a WebP: every chunk to the end that its header states. */
export function* readWebp(file: ArrivingFile): Reading<PictureStructure> {
  const head = whole(yield* file.take(12));
  const end = 8 + head.readUInt32LE(4);
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  /** Pixels of all frames of an animation; null without frames. */
  let framePixels: number | null = null;
  let turned = false;
  let hasAlpha = false;
  while (file.at + 8 <= end) {
    const chunk = file.takeNow(8) ?? whole(yield* file.take(8));
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    if (file.at + length > end) throw new BrokenStructure(`its chunk ${JSON.stringify(type)} is longer than its file`);
    let read = 0;
    if (type === 'EXIF' && length <= MOST_EXIF_BYTES) {
      read = length;
      turned = isTurned(whole(yield* file.take(read)));
    } else if (type === 'ANMF') {
      read = Math.min(FRAME_HEAD_BYTES, length);
      const pixels = pixelsOfFrame(whole(yield* file.take(read)), length);
      framePixels = (framePixels ?? 0) + pixels;
    } else if (size === null || (!hasPixels && PIXELS.includes(type))) {
      read = Math.min(READ_BYTES, length);
      const body = whole(yield* file.take(read));
      const found = sizeInWebp(type, body);
      if (size !== null && (found?.width !== size.width || found.height !== size.height))
        throw new BrokenStructure('its header tells another size than its pixels');
      if (size === null) hasAlpha = hasAlphaInWebp(type, body);
      size = found;
      if (type === 'VP8 ' && size !== null) assertHolds(length, MOST_PIXELS_PER_BYTE, size.width * size.height);
    }
    if (!file.skipNow(length - read)) whole(yield* file.skip(length - read));
    // Some programs omit the last padding.
    if (length % 2 === 1 && file.at < end) whole(yield* file.skip(1));
    hasPixels ||= PIXELS.includes(type);
  }
  whole(yield* file.skip(end - file.at));
  if (!hasPixels) throw new BrokenStructure('it has no pixels');
  if (framePixels !== null && size !== null)
    assertHolds(framePixels, MOST_CLEAR, size.width * size.height - MOST_CLEAR_PIXELS);
  return structureOf(size, turned, WHOLE_BYTES_PER_PIXEL, hasAlpha);
}

/** Returns the number of pixels of an animation's frame, which must have the bytes for them. @throws BrokenStructure */
function pixelsOfFrame(head: Buffer, bytes: number): number {
  if (head.length < FRAME_HEAD_BYTES) throw new BrokenStructure(CUT_OFF);
  const pixels = (1 + head.readUIntLE(6, 3)) * (1 + head.readUIntLE(9, 3));
  const isLossy = ['VP8 ', 'ALPH'].includes(head.toString('latin1', 16));
  if (isLossy) assertHolds(bytes, MOST_PIXELS_PER_BYTE, pixels);
  return pixels;
}

/** Reads the alpha flag from the first ten bytes of the first chunk. */
function hasAlphaInWebp(type: string, body: Buffer): boolean {
  if (type === 'VP8X') return ((body[0] ?? 0) & 0x10) !== 0;
  return type === 'VP8L' && ((body[4] ?? 0) & 0x10) !== 0;
}

/** Reads the size of a picture from the first ten bytes of its first chunk. */
export function sizeInWebp(type: string, body: Buffer): { width: number; height: number } | null {
  if (type === 'VP8X' && body.length === READ_BYTES)
    return { width: 1 + body.readUIntLE(4, 3), height: 1 + body.readUIntLE(7, 3) };
  if (type === 'VP8 ' && body.length === READ_BYTES && body.readUIntBE(3, 3) === 0x9d012a)
    return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  if (type !== 'VP8L' || body.length < 5 || body[0] !== 0x2f) return null;
  const bits = body.readUInt32LE(1);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
