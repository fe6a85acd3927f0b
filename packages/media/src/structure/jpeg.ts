import type { ArrivingFile, Reading } from './arriving-file.ts';
import { isTurned } from './exif.ts';
import { assertHolds, BrokenStructure, type PictureStructure, structureOf, whole } from './picture-structure.ts';

const END = 0xd9;
const SCAN = 0xda;
const APP1 = 0xe1;
/** Markers between c0 and cf that begin no frame. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];

/** First marker of arithmetically coded frames, where pixels can take any fraction of a bit. */
const FIRST_ARITHMETIC = 0xc9;
/** A block of 8×8 pixels takes at least one bit of Huffman's code, for its first coefficient. */
const MOST_PIXELS_PER_BYTE = 512;

/** Reads a JPEG: every marker to the end of the image. Cameras append more pictures. */
export function* readJpeg(file: ArrivingFile): Reading<PictureStructure> {
  whole(yield* file.skip(2));
  let size: { width: number; height: number } | null = null;
  let bytesPerPixel = 1;
  let scanAt: number | null = null;
  let isHuffman = true;
  let turned = false;
  for (;;) {
    // Within compressed data, and between segments of some cameras, other bytes come before the marker.
    if (file.byteNow() !== 0xff) whole(yield* file.seek(0xff));
    let marker = 0xff;
    while (marker === 0xff) marker = file.byteNow() ?? whole(yield* file.take(1))[0] ?? 0;
    if (marker === END) break;
    // An escaped 0xff of compressed data, a restart within them, or a marker without a body.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    const length = (file.takeNow(2) ?? whole(yield* file.take(2))).readUInt16BE(0) - 2;
    if (length < 0) throw new BrokenStructure('one of its segments has no length');
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker);
    if (!isFrame && marker !== APP1) {
      if (!file.skipNow(length)) whole(yield* file.skip(length));
    } else {
      const body = file.takeNow(length) ?? whole(yield* file.take(length));
      if (marker === APP1) turned ||= body.toString('latin1', 0, 6) === 'Exif\0\0' && isTurned(body);
      else if (body.length >= 5) {
        size ??= { width: body.readUInt16BE(3), height: body.readUInt16BE(1) };
        isHuffman &&= marker < FIRST_ARITHMETIC;
        if (marker % 4 === 2) bytesPerPixel = (body[0] ?? 8) > 8 ? 16 : 8;
      }
    }
    if (marker === SCAN && size === null) throw new BrokenStructure('its pixels come before its size');
    if (marker === SCAN) scanAt ??= file.at;
  }
  if (scanAt === null || size === null) throw new BrokenStructure('it has no pixels');
  if (isHuffman) assertHolds(file.at - scanAt, MOST_PIXELS_PER_BYTE, size.width * size.height);
  return structureOf(size, turned, bytesPerPixel, false);
}
