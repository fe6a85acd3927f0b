import { MediaFault } from '../media-fault.ts';
import type { FileWindow } from './file-window.ts';
import type { Replacement } from './replacement.ts';
import { type Box, readBox } from './walk-boxes.ts';
import { CLUSTER, readElement, SEGMENT } from './walk-elements.ts';

/** Types of boxes that may contain boxes with texts. */
const AROUND = ['moov', 'trak', 'moof', 'traf'];
const XMP = 'be7acfcb97a942e89c71999491e3afac';
/** Ids of elements with texts: tags and attachments. */
const TEXT_ELEMENTS = [0x1254c367, 0x1941a469];
const VOID = 0xec;
const MOST_PARTS = 1_000_000;

/** Finds the texts of an MP4 or MOV. Tables point into the file, so each box becomes free space of the same length. */
export function textInBoxes(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  let parts = 0;
  const walk = (from: number, end: number) => {
    for (let at = from; at + 8 <= end; ) {
      if (++parts > MOST_PARTS) throw tooManyParts();
      const box = readBox(file, at, end);
      if (AROUND.includes(box.type)) walk(box.content, box.end);
      else if (isText(file, box)) {
        found.push({ start: at + 4, end: at + 8, bytes: Buffer.from('free') });
        found.push({ start: box.content, end: box.end, zeros: box.end - box.content });
      }
      at = box.end;
    }
  };
  walk(0, file.size);
  return found;
}

function isText(file: FileWindow, { type, content }: Box): boolean {
  return type === 'udta' || type === 'meta' || (type === 'uuid' && file.read(content, 16).toString('hex') === XMP);
}

/** Finds a Matroska's texts. Seek head and cues hold positions, so each element becomes a void of the same length. */
export function textInElements(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  let parts = 0;
  for (let at = 0; at < file.size; ) {
    if (++parts > MOST_PARTS) throw tooManyParts();
    const element = readElement(file, at);
    if (element === null) break;
    const { id, content, end } = element;
    const isEntered = id === SEGMENT || (id === CLUSTER && end === null);
    if (!isEntered && end === null) throw new MediaFault('corrupt', 'the video has an element without a size');
    if (TEXT_ELEMENTS.includes(id) && end !== null) found.push(voidOf(at, Math.min(end, file.size)));
    at = isEntered || end === null ? content : end;
  }
  return found;
}

function voidOf(start: number, end: number): Replacement {
  const length = end - start;
  const isShort = length <= 127;
  const header = Buffer.alloc(isShort ? 2 : 9);
  header[0] = VOID;
  if (isShort) header[1] = 0x80 | (length - 2);
  else {
    header.writeBigUInt64BE(BigInt(length - 9), 1);
    header[1] = 0x01;
  }
  return { start, end, bytes: header, zeros: length - header.length };
}

function tooManyParts(): MediaFault {
  return new MediaFault('too_large', `expected a video with at most ${MOST_PARTS} boxes, found more`);
}
