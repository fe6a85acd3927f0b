import type { ArrivingFile, Reading } from './arriving-file.ts';
import { BrokenStructure, type PictureStructure, structureOf, whole } from './picture-structure.ts';

const WHOLE_BYTES_PER_PIXEL = 8;

/** Reads a GIF: every block to its trailer. */
export function* readGif(file: ArrivingFile): Reading<PictureStructure> {
  const head = whole(yield* file.take(13));
  const size = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  whole(yield* file.skip(tableBytes(head[10] ?? 0)));
  let hasPixels = false;
  for (;;) {
    const kind = file.byteNow() ?? whole(yield* file.take(1))[0];
    if (kind === 0x3b) break;
    if (kind === 0x21) file.byteNow() ?? whole(yield* file.skip(1));
    else if (kind === 0x2c) {
      whole(yield* file.skip(tableBytes(whole(yield* file.take(9))[8] ?? 0) + 1));
      hasPixels = true;
    } else throw new BrokenStructure('one of its blocks has no known kind');
    for (let length = -1; length !== 0; ) {
      length = file.byteNow() ?? whole(yield* file.take(1))[0] ?? 0;
      if (!file.skipNow(length)) whole(yield* file.skip(length));
    }
  }
  if (!hasPixels) throw new BrokenStructure('it has no pixels');
  return structureOf(size, false, WHOLE_BYTES_PER_PIXEL);
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}
