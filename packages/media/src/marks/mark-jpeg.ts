import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './mark.ts';
import type { MarkState, Splicer } from './splicer.ts';

const SCAN = 0xda;
const [APP0, APP1, APP11] = [0xe0, 0xe1, 0xeb];
const XMP_HEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

/** Inserts the XMP behind JFIF and Exif, or extends the XMP there. A C2PA manifest lies in JUMBF boxes of APP11. */
export function* markJpeg(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  whole(yield* file.skip(2));
  let place = file.at;
  let hasXmp = false;
  for (;;) {
    const start = file.at;
    const head = whole(yield* file.take(1));
    let marker = whole(yield* file.take(1))[0] ?? 0;
    while (marker === 0xff) marker = whole(yield* file.take(1))[0] ?? 0;
    if (head[0] !== 0xff || marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9))
      throw new BrokenStructure('a segment was expected before its pixels');
    if (marker === SCAN) break;
    const length = whole(yield* file.take(2)).readUInt16BE(0) - 2;
    if (length < 0) throw new BrokenStructure('one of its segments has no length');
    const at = file.at;
    if (marker !== APP0 && marker !== APP1 && marker !== APP11) {
      whole(yield* file.skip(length));
      continue;
    }
    const body = whole(yield* file.take(length));
    if (marker === APP11 && body.toString('latin1', 0, 2) === 'JP') return 'kept';
    if (marker === APP1 && body.subarray(0, XMP_HEAD.length).equals(XMP_HEAD)) {
      const addition = additionTo(body.subarray(XMP_HEAD.length), xmp);
      if (addition === null) return 'kept';
      splicer.change(at - 2, 2, size(length + addition.bytes.length));
      splicer.change(at + XMP_HEAD.length + addition.at, 0, addition.bytes);
      hasXmp = true;
    } else if (place === start && marker !== APP11) place = file.at;
  }
  if (!hasXmp) {
    const bytes = [Buffer.of(0xff, APP1), size(XMP_HEAD.length + xmp.length), XMP_HEAD, xmp];
    splicer.change(place, 0, Buffer.concat(bytes));
  }
  return 'marked';
}

/** @throws RangeError if a segment cannot hold that */
function size(length: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length + 2);
  return bytes;
}
