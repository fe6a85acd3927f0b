import type { ArrivingFile, Reading } from './arriving-file.ts';
import { assertHolds, BrokenStructure, type PictureStructure, structureOf, whole } from './picture-structure.ts';

const WHOLE_BYTES_PER_PIXEL = 8;

/** A code of 12 bits stands for at most one pixel more than the table has entries. */
const MOST_PIXELS_PER_BYTE = Math.ceil((4_091 * 8) / 12);
/** Maximum pixels that no frame covers, which are transparent; more is implausible. */
const MOST_CLEAR_PIXELS = 2 ** 20;

/** Reads a GIF: every block to its trailer. */
export function* readGif(file: ArrivingFile): Reading<PictureStructure> {
  const head = whole(yield* file.take(13));
  const size = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  whole(yield* file.skip(tableBytes(head[10] ?? 0)));
  let hasPixels = false;
  let allBytes = 0;
  for (;;) {
    let framePixels = 0;
    const kind = file.byteNow() ?? whole(yield* file.take(1))[0];
    if (kind === 0x3b) break;
    if (kind === 0x21) file.byteNow() ?? whole(yield* file.skip(1));
    else if (kind === 0x2c) {
      const frame = whole(yield* file.take(9));
      framePixels = frame.readUInt16LE(4) * frame.readUInt16LE(6);
      whole(yield* file.skip(tableBytes(frame[8] ?? 0) + 1));
    } else throw new BrokenStructure('one of its blocks has no known kind');
    let bytes = 0;
    for (let length = -1; length !== 0; bytes += length) {
      length = file.byteNow() ?? whole(yield* file.take(1))[0] ?? 0;
      if (!file.skipNow(length)) whole(yield* file.skip(length));
    }
    // A frame without bytes draws nothing.
    if (kind === 0x2c && bytes > 0) {
      hasPixels = true;
      assertHolds(bytes, MOST_PIXELS_PER_BYTE, framePixels);
      allBytes += bytes;
    }
  }
  if (!hasPixels) throw new BrokenStructure('it has no pixels');
  assertHolds(allBytes, MOST_PIXELS_PER_BYTE, size.width * size.height - MOST_CLEAR_PIXELS);
  return structureOf(size, false, WHOLE_BYTES_PER_PIXEL);
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}
