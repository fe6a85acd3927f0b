import type { ArrivingFile, Reading } from './arriving-file.ts';
import { type AvifItem, primaryItem } from './avif-item.ts';
import {
  assertHolds,
  BrokenStructure,
  CUT_OFF,
  type PictureStructure,
  structureOf,
  whole,
} from './picture-structure.ts';

/** Maximum bytes of a picture's tables; a film's are longer. */
const MOST_META_BYTES = 4 * 1024 * 1024;
const WHOLE_BYTES_PER_PIXEL = 16;
/**
 * AV1: a block of 128×128 pixels takes at least three symbols (partition, skip, mode). Their adaptive probabilities
 * stop below 1 − 2⁶/2¹⁵ or 1 − 2⁷/2¹⁵, so they take at least 0.014 bits: 9.4 million pixels per byte, plus a margin.
 */
const MOST_PIXELS_PER_BYTE = 16_000_000;
const BOXES = new Set('ftyp meta mdat moov moof mfra idat uuid jumb sidx pdin udta'.split(' '));

/**
 * Reads an AVIF: its boxes, until the picture is complete and no box of it follows. The location table gives the
 * positions of the picture's parts; all of them must be there.
 */
export function* readAvif(file: ArrivingFile): Reading<PictureStructure & { readonly end: number }> {
  let item: AvifItem | null = null;
  let end = 0;
  for (;;) {
    const isComplete = item !== null && item.end <= file.at;
    if (isComplete) end = file.at;
    const head = file.takeNow(8) ?? (yield* file.take(8));
    if (head === null) break;
    const type = head.toString('latin1', 4, 8);
    if (isComplete && !BOXES.has(type)) break;
    const short = head.readUInt32BE(0);
    if (short === 0) {
      // This box extends to the end of the file.
      if (item !== null) whole(yield* file.skip(Math.max(0, item.end - file.at)));
      end = Number.POSITIVE_INFINITY;
      break;
    }
    const long = short === 1 ? whole(yield* file.take(8)) : null;
    const length = long === null ? short - 8 : Number(long.readBigUInt64BE(0)) - 16;
    if (length < 0) throw new BrokenStructure('one of its boxes has no length');
    if (type === 'meta' && item === null) {
      if (length > MOST_META_BYTES) throw new BrokenStructure('its tables are too long for a picture');
      item = yield* primaryItem(file, whole(yield* file.take(length)));
    } else if (!file.skipNow(length)) whole(yield* file.skip(length));
  }
  if (item === null) throw new BrokenStructure('it has no table of its parts');
  if (end < item.end) throw new BrokenStructure(CUT_OFF);
  if (item.size !== null) assertHolds(item.bytes, MOST_PIXELS_PER_BYTE, item.size.width * item.size.height);
  return { ...structureOf(item.size, item.turned, WHOLE_BYTES_PER_PIXEL), end };
}
